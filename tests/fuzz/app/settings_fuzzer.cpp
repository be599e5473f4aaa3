// Settings as people write them; the first byte says where: the file, the environment, the command line (one
// word on each line), a single value, or /proc/net/tcp, which is looked at when a port is taken.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "server/app/command_line.hpp"
#include "server/app/processes.hpp"
#include "server/app/settings.hpp"
#include "server/app/value_text.hpp"

namespace {

using namespace countertop;
using namespace countertop::app;

void require(bool holds) {
  if (!holds) std::abort();
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// Either every setting has a value that can be shown, or there is an error that says what is wrong.
void resolve(const SettingSources& sources) {
  const auto settings = resolve_settings(sources, "/var/lib/countertop");
  if (!settings) {
    require(!settings.error().message.empty());
    return;
  }
  require(settings->interval.count() > 0 && settings->effective.size() == setting_table().size());
  require(!show_settings(*settings).empty() && !show_settings_json(*settings).empty());
}

void value(std::string_view text) {
  if (const auto duration = parse_duration(text)) require(duration->count() >= 0);
  if (const auto bytes = parse_size(text)) require(*bytes >= 0);
  if (const auto address = parse_listen_address(text)) {
    const auto again = parse_listen_address(address->text());
    require(again && *again == *address);
  }
  for (const std::string& item : parse_list(text)) require(!item.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  SettingSources sources;
  switch (data[0] % 5) {
    case 0:
      if (auto given = parse_settings(text, "countertop.toml")) {
        sources.file = std::move(*given);
        resolve(sources);
      } else {
        require(given.error().message.starts_with("countertop.toml"));
      }
      break;
    case 1:
      if (auto given = read_environment(lines_of(text))) {
        sources.environment = std::move(*given);
        resolve(sources);
      }
      break;
    case 2:
      if (auto line = parse_command_line(lines_of(text))) {
        sources.flags = std::move(line->flags);
        resolve(sources);
      } else {
        require(!line.error().message.empty());
      }
      break;
    case 3:
      value(text);
      break;
    default:
      require(parse_listening_sockets(text).size() <= text.size());
      break;
  }
  return 0;
}
