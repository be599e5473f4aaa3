// Every setting there is: its name in the file, in the environment and as a flag, its default and its help.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace countertop::app {

enum class SettingType : std::uint8_t { address, path, duration, size, text, list };

struct SettingDefinition {
  std::string_view section;  // "store"
  std::string_view key;      // "max_size"
  SettingType type;
  std::string_view default_value;  // as a person would write it
  std::string_view short_flag;     // "--data", in addition to --store-directory; may be empty
  std::string_view help;
};

/// In the order in which help and `config show` list them.
[[nodiscard]] std::span<const SettingDefinition> setting_table();

/// "store.max_size", "COUNTERTOP_STORE_MAX_SIZE", "--store-max-size".
[[nodiscard]] std::string dotted_name(const SettingDefinition& setting);
[[nodiscard]] std::string environment_name(const SettingDefinition& setting);
[[nodiscard]] std::string flag_name(const SettingDefinition& setting);

}  // namespace countertop::app
