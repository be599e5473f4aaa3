#include "server/app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>

#include "server/app/version.hpp"
#include "server/query/suggest.hpp"

namespace countertop::app {
namespace {

constexpr const char* kDescription =
    "Records this machine's performance counters every second into one SQLite file and shows them in the "
    "browser.";

constexpr const char* kExamples = R"TEXT(Examples:
  countertop                                     record, and serve http://127.0.0.1:7177
  countertop serve --listen 127.0.0.1:8080 --data ./trial
  countertop config show                         every setting and where its value comes from
  countertop sql "select time, value from samples('cpu(total)/busy', unixepoch() - 60, unixepoch())"
  curl -s 'http://127.0.0.1:7177/api/v1/query.csv?series=cpu(total)/busy&from=-10m' > cpu.csv

Settings come from flags, then environment (COUNTERTOP_STORE_MAX_SIZE), then the file given with --config or
COUNTERTOP_CONFIG:
  [store]
  max_size = "4GiB"

Exit codes: 0 ended in order, 1 could not run, 2 wrong usage or settings.)TEXT";

/// CLI11 writes into what it is given; a deque keeps the addresses.
struct FlagValues {
  std::deque<std::pair<const SettingDefinition*, std::string>> values;
  std::deque<CLI::Option*> options;
};

void add_setting_flags(CLI::App& app, FlagValues& flags) {
  for (const auto& setting : setting_table()) {
    auto& [definition, value] = flags.values.emplace_back(&setting, "");
    std::string names = flag_name(setting);
    if (!setting.short_flag.empty()) names += "," + std::string(setting.short_flag);
    std::string help(setting.help);
    if (!setting.default_value.empty()) help += " [" + std::string(setting.default_value) + "]";
    flags.options.push_back(app.add_option(names, value, help)->group("Settings"));
  }
}

std::vector<std::string> known_words() {
  std::vector<std::string> words{"serve",    "config", "show",     "sql",     "--help", "--version",
                                 "--config", "--json", "--output", "perflib", "decode", "--names"};
  for (const auto& setting : setting_table()) {
    words.push_back(flag_name(setting));
    if (!setting.short_flag.empty()) words.emplace_back(setting.short_flag);
  }
  return words;
}

/// The first word that nobody knows, with the nearest that somebody does.
std::string explain(const std::vector<std::string>& arguments, const std::string& problem) {
  const auto words = known_words();
  for (const std::string& argument : arguments) {
    const std::string word = argument.substr(0, argument.find('='));
    if (std::ranges::find(words, word) != words.end()) continue;
    if (problem.find(word) == std::string::npos) continue;
    const auto near = query::nearest_names(word, words);
    return "'" + word + "' is not known" + (near.empty() ? "." : "; " + query::did_you_mean(near));
  }
  return problem;
}

}  // namespace

Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  CLI::App app(kDescription, "countertop");
  app.footer(kExamples);
  app.set_version_flag("--version", std::string("countertop ") + kVersion);
  app.fallthrough();
  std::string settings_file;
  app.add_option("--config", settings_file, "TOML file with settings");
  FlagValues flags;
  add_setting_flags(app, flags);

  app.add_subcommand("serve", "record and serve; what countertop does without a command");
  CLI::App* config = app.add_subcommand("config", "show settings")->require_subcommand(1);
  CLI::App* show =
      config->add_subcommand("show", "print each effective value and where it came from")->fallthrough();
  config->fallthrough();
  show->add_flag("--json", line.as_json, "as JSON");
  CLI::App* sql = app.add_subcommand("sql", "run one read-only SQL statement on the history");
  sql->add_option("statement", line.sql, "SQL; samples(path, from, to) gives time and value")->required();
  sql->add_option("--output", line.output, "columns, csv or json")
      ->check(CLI::IsMember({"columns", "csv", "json"}));

  std::string file;
  std::string names_file;
  CLI::App* perflib =
      app.add_subcommand("perflib", "performance data of Windows' registry")->require_subcommand(1);
  CLI::App* decode =
      perflib->add_subcommand("decode", "show a saved block: objects, counters, instances, values");
  decode->add_option("file", file, "the block as RegQueryValueEx gave it")->required();
  decode->add_option("--names", names_file, "name table: index<TAB>name lines, or `Counter 009` as it is");
  decode->add_flag("--json", line.as_json, "as JSON");

  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    line.command = Command::help;
    line.text = app.help();
    return line;
  } catch (const CLI::CallForAllHelp&) {
    line.command = Command::help;
    line.text = app.help("", CLI::AppFormatMode::All);
    return line;
  } catch (const CLI::CallForVersion&) {
    line.command = Command::version;
    line.text = std::string("countertop ") + kVersion + "\n";
    return line;
  } catch (const CLI::ParseError& problem) {
    return fail(ErrorCode::invalid_argument, explain(arguments, problem.what()),
                "`countertop --help` lists commands and settings.");
  }

  if (show->parsed()) line.command = Command::show_settings;
  if (sql->parsed()) line.command = Command::sql;
  if (decode->parsed()) line.command = Command::perflib_decode;
  line.file = file;
  line.names_file = names_file;
  line.settings_file = settings_file;
  for (std::size_t index = 0; index < flags.options.size(); ++index) {
    if (flags.options[index]->count() == 0) continue;
    const auto& [definition, value] = flags.values[index];
    const std::string written =
        definition->short_flag.empty() ? flag_name(*definition) : std::string(definition->short_flag);
    line.flags[dotted_name(*definition)] = {value, "flag " + written};
  }
  return line;
}

}  // namespace countertop::app
