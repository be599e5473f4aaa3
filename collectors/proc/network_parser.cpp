#include "collectors/proc/network_parser.hpp"

#include "collectors/proc/text_scan.hpp"

namespace countertop::proc {
namespace {

bool parse_row(std::string_view line, NetworkRow& row) {
  // Behind the last colon are numbers only; a name may hold one ("eth0:1" on old systems).
  const std::size_t colon = line.rfind(':');
  if (colon == std::string_view::npos) return false;
  row.name = trim(line.substr(0, colon));
  if (row.name.empty()) return false;
  std::string_view columns = line.substr(colon + 1);
  for (std::int64_t& value : row.values) {
    const auto number = take_number(columns);
    if (!number) return false;
    value = *number;
  }
  return true;
}

}  // namespace

std::size_t parse_network(std::string_view text, std::vector<NetworkRow>& out) {
  out.clear();
  std::size_t malformed = 0;
  while (!text.empty()) {
    const auto line = take_whole_line(text);
    if (line && (line->find('|') != std::string_view::npos && line->rfind(':') == std::string_view::npos))
      continue;
    if (line && trim(*line).empty()) continue;
    NetworkRow row;
    if (line && parse_row(*line, row))
      out.push_back(row);
    else
      ++malformed;
  }
  return malformed;
}

}  // namespace countertop::proc
