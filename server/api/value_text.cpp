#include "server/api/value_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace countertop::api {
namespace {

constexpr double kWholeLimit = 9007199254740992.0;  // 2^53
constexpr std::int64_t kDayMs = 86'400'000;
constexpr double kExcelDayOfUnixEpoch = 25'569;

double excel_days(std::int64_t unix_ms, const query::TimeZone& zone) {
  const auto local_ms = static_cast<double>(unix_ms + zone.offset_s(unix_ms) * 1000);
  return kExcelDayOfUnixEpoch + local_ms / static_cast<double>(kDayMs);
}

void replace_point(std::string& out, std::size_t from, char decimal) {
  if (decimal == '.') return;
  std::replace(out.begin() + static_cast<std::ptrdiff_t>(from), out.end(), '.', decimal);
}

}  // namespace

void append_integer(std::string& out, std::int64_t value) {
  std::array<char, 24> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  out.append(text.data(), written.ptr);
}

void append_number(std::string& out, double value, char decimal) {
  if (std::abs(value) < kWholeLimit && value == std::trunc(value)) {
    append_integer(out, static_cast<std::int64_t>(value));
    return;
  }
  std::array<char, 40> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  const std::size_t start = out.size();
  out.append(text.data(), written.ptr);
  replace_point(out, start, decimal);
}

void append_json_number(std::string& out, double value) {
  if (std::isfinite(value)) {
    append_number(out, value);
  } else {
    out += "null";
  }
}

void append_json_text(std::string& out, std::string_view text) {
  out += nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void append_unix_seconds(std::string& out, std::int64_t unix_ms) {
  std::int64_t seconds = unix_ms / 1000;
  std::int64_t rest = unix_ms % 1000;
  if (unix_ms < 0) {
    out += '-';
    seconds = -seconds;
    rest = -rest;
  }
  append_integer(out, seconds);
  if (rest == 0) return;
  std::string decimals = std::to_string(rest + 1000);
  decimals.front() = '.';
  while (decimals.back() == '0') decimals.pop_back();
  out += decimals;
}

void append_json_time(std::string& out, std::int64_t unix_ms, const Presentation& presentation) {
  switch (presentation.time) {
    case TimeStyle::unix_s:
      return append_unix_seconds(out, unix_ms);
    case TimeStyle::unix_ms:
      return append_integer(out, unix_ms);
    case TimeStyle::iso:
      return append_json_text(out, query::format_rfc3339(unix_ms, presentation.zone));
    case TimeStyle::excel:
      return append_number(out, excel_days(unix_ms, presentation.zone));
  }
}

void append_cell_text(std::string& out, std::string_view text, char separator) {
  const bool is_formula =
      !text.empty() && (std::string_view("=+-@").find(text.front()) != std::string_view::npos ||
                        static_cast<unsigned char>(text.front()) < 0x20);
  const bool needs_quotes = text.find_first_of("\"\r\n") != std::string_view::npos ||
                            text.find(separator) != std::string_view::npos;
  if (needs_quotes) out += '"';
  if (is_formula) out += '\'';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  if (needs_quotes) out += '"';
}

void append_cell_number(std::string& out, double value, const Presentation& presentation) {
  if (!std::isfinite(value)) return;
  std::string text;
  append_number(text, value, presentation.decimal);
  const bool needs_quotes = text.find(presentation.separator) != std::string::npos;
  out += needs_quotes ? '"' + text + '"' : text;
}

void append_cell_time(std::string& out, std::int64_t unix_ms, const Presentation& presentation) {
  switch (presentation.time) {
    case TimeStyle::unix_s: {
      std::string text;
      append_unix_seconds(text, unix_ms);
      replace_point(text, 0, presentation.decimal);
      const bool needs_quotes = text.find(presentation.separator) != std::string::npos;
      out += needs_quotes ? '"' + text + '"' : text;
      return;
    }
    case TimeStyle::unix_ms:
      return append_integer(out, unix_ms);
    case TimeStyle::iso:
      out += query::format_rfc3339(unix_ms, presentation.zone);
      return;
    case TimeStyle::excel:
      return append_cell_number(out, excel_days(unix_ms, presentation.zone), presentation);
  }
}

}  // namespace countertop::api
