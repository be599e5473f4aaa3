// The command line: what is to be done, and the settings given as flags.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/app/settings.hpp"

namespace countertop::app {

enum class Command : std::uint8_t { serve, show_settings, sql, perflib_decode, help, version };

struct CommandLine {
  Command command = Command::serve;
  std::map<std::string, SettingSources::Given> flags;
  std::filesystem::path settings_file;  // --config; empty when not given
  std::string sql;                      // the statement of `countertop sql`
  std::string output = "columns";       // --output of `sql`: columns, csv, json
  bool as_json = false;                 // --json of `config show` and `perflib decode`
  std::filesystem::path file;           // FILE of `perflib decode`
  std::filesystem::path names_file;     // its --names; empty when not given
  std::string text;                     // what `help` and `version` print
};

/// Wrong usage is invalid_argument; the message names the nearest known word where there is one.
[[nodiscard]] Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments);

}  // namespace countertop::app
