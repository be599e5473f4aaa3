#include "server/app/settings.hpp"

#include <algorithm>
#include <array>

#include "server/query/suggest.hpp"

namespace countertop::app {
namespace {

constexpr std::string_view kEnvironmentPrefix = "COUNTERTOP_";

/// What a value may look like, for error texts.
std::string_view example_of(SettingType type) {
  switch (type) {
    case SettingType::address:
      return "an address such as 127.0.0.1:7177 or [::1]:7177";
    case SettingType::duration:
      return "a duration such as 250ms, 1s, 30d or 1y";
    case SettingType::size:
      return "a size such as 500MB or 2GiB";
    default:
      return "a text";
  }
}

class Resolver {
 public:
  Resolver(const SettingSources& sources, Settings& settings) : sources_(sources), settings_(settings) {}

  /// The value in force, noted with its origin.
  const EffectiveSetting& take(std::string_view dotted, std::string default_value) {
    const auto table = setting_table();
    const auto definition =
        std::find_if(table.begin(), table.end(), [&](const auto& row) { return dotted_name(row) == dotted; });
    EffectiveSetting effective{&*definition, std::move(default_value), "default"};
    const std::string key(dotted);
    for (const auto* source : {&sources_.flags, &sources_.environment, &sources_.file}) {
      if (const auto given = source->find(key); given != source->end()) {
        effective.value = given->second.value;
        effective.origin = given->second.origin;
        break;
      }
    }
    settings_.effective.push_back(std::move(effective));
    return settings_.effective.back();
  }

  const EffectiveSetting& take(std::string_view dotted) {
    const auto table = setting_table();
    const auto definition =
        std::find_if(table.begin(), table.end(), [&](const auto& row) { return dotted_name(row) == dotted; });
    return take(dotted, std::string(definition->default_value));
  }

  template <typename T>
  T parsed(std::string_view dotted, std::optional<T> (*parse)(std::string_view)) {
    const EffectiveSetting& setting = take(dotted);
    const auto value = parse(setting.value);
    if (!value)
      note_error(setting, std::string("is not ") + std::string(example_of(setting.definition->type)));
    return value.value_or(T{});
  }

  void note_error(const EffectiveSetting& setting, const std::string& what) {
    if (error_) return;
    error_ = Error{
        ErrorCode::invalid_argument,
        dotted_name(*setting.definition) + ": '" + setting.value + "' (" + setting.origin + ") " + what + ".",
        "`countertop config show` lists every setting and where its value comes from.", 0};
  }

  const std::optional<Error>& error() const { return error_; }

 private:
  const SettingSources& sources_;
  Settings& settings_;
  std::optional<Error> error_;
};

std::int64_t whole_days(std::chrono::milliseconds duration) {
  return (duration.count() + 86'399'999) / 86'400'000;
}

std::int64_t resolve_age(Resolver& resolver, Settings& settings, std::string_view dotted) {
  const std::int64_t days = whole_days(resolver.parsed(dotted, &parse_duration));
  if (days < 1) resolver.note_error(settings.effective.back(), "is too short: at least 1d");
  return days;
}

void resolve_server(Resolver& resolver, Settings& settings) {
  settings.listen = resolver.parsed("server.listen", &parse_listen_address);
  settings.allowed_hosts = parse_list(resolver.take("server.allowed_hosts").value);
  settings.query_timeout = resolver.parsed("server.query_timeout", &parse_duration);
  if (settings.query_timeout < std::chrono::milliseconds(100)) {
    resolver.note_error(settings.effective.back(), "is too short: at least 100ms");
  }
}

void resolve_store(Resolver& resolver, Settings& settings, const std::filesystem::path& default_directory) {
  settings.data_directory = resolver.take("store.directory", default_directory.string()).value;
  if (settings.data_directory.empty()) {
    resolver.note_error(settings.effective.back(),
                        "names no directory: neither HOME nor XDG_STATE_HOME is set");
  }
  auto& retention = settings.retention;
  retention.max_bytes = resolver.parsed("store.max_size", &parse_size);
  if (retention.max_bytes < history::kMinStoreBytes) {
    resolver.note_error(settings.effective.back(), "is below the least size of 16MiB");
  }
  retention.raw_days = resolve_age(resolver, settings, "store.raw");
  retention.minute_days = resolve_age(resolver, settings, "store.minute");
  retention.hour_days = resolve_age(resolver, settings, "store.hour");
}

void resolve_collect(Resolver& resolver, Settings& settings) {
  settings.interval = resolver.parsed("collect.interval", &parse_duration);
  if (settings.interval < std::chrono::milliseconds(100) || settings.interval > std::chrono::seconds(60)) {
    resolver.note_error(settings.effective.back(), "is outside 100ms to 60s");
  }
  settings.collectors_off = parse_list(resolver.take("collect.off").value);
  settings.proc_root = resolver.take("collect.proc_root").value;
  settings.sys_root = resolver.take("collect.sys_root").value;
  settings.filesystem_root = resolver.take("collect.filesystem_root").value;
}

void resolve_log(Resolver& resolver, Settings& settings) {
  constexpr std::array<std::string_view, 4> kLevels{"debug", "info", "warning", "error"};
  settings.log_level = resolver.take("log.level").value;
  if (std::find(kLevels.begin(), kLevels.end(), settings.log_level) == kLevels.end()) {
    resolver.note_error(settings.effective.back(), "is not one of debug, info, warning, error");
  }
}

}  // namespace

Result<std::map<std::string, SettingSources::Given>> read_environment(
    std::span<const std::string> variables) {
  std::vector<std::string> known;
  for (const auto& setting : setting_table()) known.push_back(environment_name(setting));
  known.emplace_back("COUNTERTOP_CONFIG");

  std::map<std::string, SettingSources::Given> given;
  for (const std::string& variable : variables) {
    if (!variable.starts_with(kEnvironmentPrefix)) continue;
    const std::size_t equals = variable.find('=');
    if (equals == std::string::npos) continue;
    const std::string name = variable.substr(0, equals);
    const auto row = std::find(known.begin(), known.end(), name);
    if (row == known.end()) {
      const auto near = query::nearest_names(name, known);
      return fail(ErrorCode::invalid_argument,
                  "The environment variable " + name + " names no setting" +
                      (near.empty() ? "." : "; " + query::did_you_mean(near)),
                  "`countertop config show` lists every setting.");
    }
    const auto index = static_cast<std::size_t>(row - known.begin());
    if (index >= setting_table().size()) continue;
    given[dotted_name(setting_table()[index])] = {variable.substr(equals + 1), "environment " + name};
  }
  return given;
}

Result<Settings> resolve_settings(const SettingSources& sources,
                                  const std::filesystem::path& default_data_directory) {
  Settings settings;
  settings.effective.reserve(setting_table().size());  // references from take() stay valid
  Resolver resolver(sources, settings);
  resolve_server(resolver, settings);
  resolve_store(resolver, settings, default_data_directory);
  resolve_collect(resolver, settings);
  resolve_log(resolver, settings);
  if (resolver.error()) return tl::unexpected<Error>(*resolver.error());
  return settings;
}

std::string show_settings(const Settings& settings) {
  std::size_t name_width = 0;
  std::size_t value_width = 0;
  for (const auto& setting : settings.effective) {
    name_width = std::max(name_width, dotted_name(*setting.definition).size());
    value_width = std::max(value_width, setting.value.size());
  }
  std::string text;
  for (const auto& setting : settings.effective) {
    std::string name = dotted_name(*setting.definition);
    name.resize(name_width, ' ');
    std::string value = setting.value;
    value.resize(value_width, ' ');
    text += name + "  " + value + "  " + setting.origin + "\n";
  }
  return text;
}

}  // namespace countertop::app
