#include "collectors/proc/network_parser.hpp"

#include "collectors/proc/text_scan.hpp"

namespace countertop::proc {
namespace {

/// Behind "Inter-|   Receive ..." and " face |bytes    packets ...".
std::string_view without_headings(std::string_view text) {
  while (true) {
    std::string_view rest = text;
    const auto line = take_whole_line(rest);
    if (!line || line->find('|') == std::string_view::npos || line->find(':') != std::string_view::npos)
      return text;
    text = rest;
  }
}

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
  return parse_rows(without_headings(text), out, parse_row);
}

}  // namespace countertop::proc
