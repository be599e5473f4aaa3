#include "server/api/metric_names.hpp"

#include <array>
#include <utility>

namespace countertop::api {
namespace {

std::string snake(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if ((lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9')) {
      name += lower;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

std::string_view unit_ending(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kEndings{{
      {"%", "percent"},
      {"% of one CPU", "percent"},
      {"% of machine", "percent"},
      {"bytes", "bytes"},
      {"bytes/s", "bytes_per_second"},
      {"1/s", "per_second"},
      {"s", "seconds"},
      {"ms", "ms"},
      {"C", "celsius"},
      {"W", "watts"},
  }};
  for (const auto& [name, ending] : kEndings) {
    if (name == unit) return ending;
  }
  return {};
}

bool ends_in_word(std::string_view name, std::string_view ending) {
  if (!name.ends_with(ending)) return false;
  return name.size() == ending.size() || name[name.size() - ending.size() - 1] == '_';
}

std::string escape(std::string_view text, bool with_quotes) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || (c == '"' && with_quotes)) {
      escaped += '\\';
      escaped += c;
    } else if (c == '\n') {
      escaped += "\\n";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

std::string metric_name(std::string_view object, std::string_view counter, std::string_view unit) {
  const bool is_rate = counter.ends_with("/s");
  std::string name = snake(is_rate ? counter.substr(0, counter.size() - 2) : counter);
  std::string_view ending = unit_ending(unit);
  if (is_rate && ending.empty()) ending = "per_second";
  constexpr std::string_view kPerSecond = "_per_second";
  // "read bytes" with the unit bytes/s is read_bytes_per_second, not read_bytes_bytes_per_second.
  if (ending.ends_with(kPerSecond)) {
    const std::string_view what = ending.substr(0, ending.size() - kPerSecond.size());
    if (ends_in_word(name, what)) ending = kPerSecond.substr(1);
  }
  if (!ending.empty() && !ends_in_word(name, ending)) name += "_" + std::string(ending);
  return "countertop_" + snake(object) + "_" + name;
}

std::string escape_label(std::string_view text) { return escape(text, true); }
std::string escape_help(std::string_view text) { return escape(text, false); }

}  // namespace countertop::api
