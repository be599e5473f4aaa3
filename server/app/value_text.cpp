#include "server/app/value_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace countertop::app {
namespace {

using Unit = std::pair<std::string_view, double>;

constexpr std::array<Unit, 7> kDurationUnits{{{"ms", 1.0},
                                              {"s", 1000.0},
                                              {"m", 60e3},
                                              {"h", 3600e3},
                                              {"d", 86400e3},
                                              {"w", 7 * 86400e3},
                                              {"y", 365 * 86400e3}}};
constexpr std::array<Unit, 10> kSizeUnits{{{"", 1.0},
                                           {"B", 1.0},
                                           {"kB", 1e3},
                                           {"KB", 1e3},
                                           {"MB", 1e6},
                                           {"GB", 1e9},
                                           {"KiB", 1024.0},
                                           {"MiB", 1024.0 * 1024},
                                           {"GiB", 1024.0 * 1024 * 1024},
                                           {"TiB", 1024.0 * 1024 * 1024 * 1024}}};

template <std::size_t N>
std::optional<std::int64_t> parse_with_unit(std::string_view text, const std::array<Unit, N>& units) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || !std::isfinite(number) || number < 0) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  for (const auto& [name, factor] : units) {
    if (unit != name) continue;
    const double value = number * factor;
    if (value > 9e18) return std::nullopt;
    return static_cast<std::int64_t>(std::llround(value));
  }
  return std::nullopt;
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return port;
}

}  // namespace

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  const auto milliseconds = parse_with_unit(text, kDurationUnits);
  if (!milliseconds) return std::nullopt;
  return std::chrono::milliseconds(*milliseconds);
}

std::optional<std::int64_t> parse_size(std::string_view text) { return parse_with_unit(text, kSizeUnits); }

bool ListenAddress::is_loopback() const {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::string ListenAddress::text() const {
  const bool needs_brackets = host.find(':') != std::string::npos;
  return (needs_brackets ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::optional<ListenAddress> parse_listen_address(std::string_view text) {
  std::string_view host = "127.0.0.1";
  std::string_view port = text;
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos) {
    port = text.substr(colon + 1);
    if (colon > 0) host = text.substr(0, colon);
  }
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return std::nullopt;  // an IPv6 address without brackets: where the port begins cannot be told
  }
  const auto number = parse_port(port);
  if (!number || host.empty() || host.find_first_of(" /[]") != std::string_view::npos) return std::nullopt;
  return ListenAddress{std::string(host), *number};
}

std::vector<std::string> parse_list(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
    if (!item.empty()) items.emplace_back(item);
  }
  return items;
}

}  // namespace countertop::app
