#include "server/app/run.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <iostream>

#include "server/app/command_line.hpp"
#include "server/app/data_directory.hpp"
#include "server/app/machine.hpp"
#include "server/app/perflib_command.hpp"
#include "server/app/serve.hpp"
#include "server/app/stop_signals.hpp"
#include "server/history/history_reader.hpp"

namespace countertop::app {
namespace {

constexpr int kCouldNotRun = 1;
constexpr int kWrongUsage = 2;

int report(const Error& error, int code) {
  std::cerr << "countertop: " << error.message << "\n";
  if (!error.fix.empty()) std::cerr << "  " << error.fix << "\n";
  return code;
}

void set_up_log(const std::string& level) {
  auto logger = spdlog::stderr_logger_mt("countertop");
  logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %l: %v");
  logger->set_level(spdlog::level::from_str(level));
  spdlog::set_default_logger(std::move(logger));
}

Result<Settings> gather_settings(const CommandLine& line) {
  SettingSources sources;
  sources.flags = line.flags;
  auto environment = read_environment(environment_variables());
  if (!environment) return tl::unexpected<Error>(environment.error());
  sources.environment = std::move(*environment);

  std::filesystem::path file = line.settings_file;
  if (const char* named = std::getenv("COUNTERTOP_CONFIG"); file.empty() && named != nullptr) file = named;
  if (!file.empty()) {
    auto given = read_settings_file(file);
    if (!given) return tl::unexpected<Error>(given.error());
    sources.file = std::move(*given);
  }
  return resolve_settings(sources, default_data_directory());
}

int run_sql_command(const CommandLine& line, const Settings& settings) {
  auto format = history::SqlOutput::columns;
  if (line.output == "csv") format = history::SqlOutput::csv;
  if (line.output == "json") format = history::SqlOutput::json;
  const auto done = history::run_sql(settings.data_directory, line.sql, std::cout, format);
  return done ? 0 : report(done.error(), kCouldNotRun);
}

int run_serve_command(const Settings& settings) {
  hold_stop_signals();
  set_up_log(settings.log_level);
  const auto done = serve(settings);
  return done ? 0 : report(done.error(), kCouldNotRun);
}

}  // namespace

int run(const std::vector<std::string>& arguments) {
  const auto line = parse_command_line(arguments);
  if (!line) return report(line.error(), kWrongUsage);
  if (line->command == Command::help || line->command == Command::version) {
    std::cout << line->text;
    return 0;
  }
  if (line->command == Command::perflib_decode) {
    const auto text = decode_perflib_file(line->file, line->names_file, line->as_json);
    if (!text) return report(text.error(), kCouldNotRun);
    std::cout << *text;
    return 0;
  }
  const auto settings = gather_settings(*line);
  if (!settings) return report(settings.error(), kWrongUsage);
  switch (line->command) {
    case Command::show_settings:
      std::cout << (line->as_json ? show_settings_json(*settings) : show_settings(*settings));
      return 0;
    case Command::sql:
      return run_sql_command(*line, *settings);
    default:
      return run_serve_command(*settings);
  }
}

}  // namespace countertop::app
