// Settings from flags, environment and file, in that order of force, and where each effective value came
// from.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/app/setting_table.hpp"
#include "server/app/value_text.hpp"
#include "server/history/retention.hpp"

namespace countertop::app {

struct EffectiveSetting {
  const SettingDefinition* definition = nullptr;
  std::string value;
  std::string
      origin;  // "default", "flag --listen", "environment COUNTERTOP_SERVER_LISTEN", "/etc/x.toml line 3"
};

/// What was given, before it is checked. Keys are dotted names.
struct SettingSources {
  struct Given {
    std::string value;
    std::string origin;
  };
  std::map<std::string, Given> flags;
  std::map<std::string, Given> environment;
  std::map<std::string, Given> file;
};

/// The program's settings as values.
struct Settings {
  ListenAddress listen;
  std::vector<std::string> allowed_hosts;
  std::chrono::milliseconds query_timeout{};
  std::filesystem::path data_directory;
  history::RetentionPolicy retention;
  std::chrono::milliseconds interval{};
  std::vector<std::string> collectors_off;
  std::string proc_root, sys_root, filesystem_root;
  std::string log_level;

  std::vector<EffectiveSetting> effective;  // in the table's order
};

/// Reads a TOML file of sections and keys. An unknown key is an error that names file, line and the nearest
/// known key.
[[nodiscard]] Result<std::map<std::string, SettingSources::Given>> read_settings_file(
    const std::filesystem::path& file);
/// The same for its text; `file` is its name in messages.
[[nodiscard]] Result<std::map<std::string, SettingSources::Given>> parse_settings(std::string_view text,
                                                                                  std::string_view file);

/// `variables`: "NAME=value" as in environ. An unknown COUNTERTOP_... variable is an error, as a misspelt one
/// would otherwise be silently without effect.
[[nodiscard]] Result<std::map<std::string, SettingSources::Given>> read_environment(
    std::span<const std::string> variables);

/// Checks every value; the error names the setting, where it came from and what is allowed.
/// `default_data_directory` is used where none is given.
[[nodiscard]] Result<Settings> resolve_settings(const SettingSources& sources,
                                                const std::filesystem::path& default_data_directory);

/// For `countertop config show`: aligned columns, or one JSON object of {"store.max_size": {"value",
/// "origin"}}.
[[nodiscard]] std::string show_settings(const Settings& settings);
[[nodiscard]] std::string show_settings_json(const Settings& settings);

}  // namespace countertop::app
