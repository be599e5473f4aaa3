#include "server/query/time_range.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace countertop::query {
namespace {

constexpr std::int64_t kSecond = 1000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr double kMaxRelativeMs = 1e15;
constexpr double kMillisecondsFrom = 1e11;  // as seconds that would be the year 5138
constexpr std::string_view kForms =
    "use now, -10m, -600, now-1h, Unix seconds or milliseconds, 2026-11-01T00:00:00Z, 2026-11-01, or a local "
    "time together with tz";

tl::unexpected<Error> refuse(std::string_view parameter, std::string_view text, std::string_view why,
                             std::string_view fix) {
  constexpr std::size_t kShown = 64;
  return fail(ErrorCode::invalid_argument,
              std::string(parameter) + ": '" + std::string(text.substr(0, kShown)) + "' " + std::string(why),
              std::string(fix));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Digits with an optional fraction at the front of `text`, taken off it.
std::optional<double> take_number(std::string_view& text) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (read.ec != std::errc() || !std::isfinite(value)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
  return value;
}

std::optional<std::int64_t> take_unit(std::string_view& text) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> kUnits{
      {{"ms", 1}, {"s", kSecond}, {"m", kMinute}, {"h", kHour}, {"d", kDay}, {"w", 7 * kDay}}};
  for (const auto& [name, ms] : kUnits) {
    if (!text.starts_with(name)) continue;
    text.remove_prefix(name.size());
    return ms;
  }
  return std::nullopt;
}

/// Milliseconds of "1h30m" or of a bare number of seconds; nullopt for any other text.
std::optional<std::int64_t> parse_duration_ms(std::string_view text) {
  if (text.empty()) return std::nullopt;
  double sum = 0;
  bool first = true;
  while (!text.empty()) {
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    if (first && text.empty()) {
      sum = *number * kSecond;
      break;
    }
    const auto unit = take_unit(text);
    if (!unit) return std::nullopt;
    sum += *number * static_cast<double>(*unit);
    first = false;
  }
  if (sum > kMaxRelativeMs) return std::nullopt;
  return std::llround(sum);
}

/// Exactly `count` digits at the front of `text`, taken off it.
std::optional<unsigned> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  unsigned value = 0;
  for (const char c : text.substr(0, count)) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

bool take_two(std::string_view& text, unsigned& value) {
  const auto digits = take_digits(text, 2);
  value = digits.value_or(0);
  return digits.has_value();
}

bool take_date(std::string_view& text, LocalTime& local) {
  const auto year = take_digits(text, 4);
  if (!year) return false;
  local.year = static_cast<int>(*year);
  return take(text, "-") && take_two(text, local.month) && take(text, "-") && take_two(text, local.day);
}

/// "12:30", "12:30:59", "12:30:59.123456"
bool take_clock(std::string_view& text, LocalTime& local) {
  if (!take_two(text, local.hour) || !take(text, ":") || !take_two(text, local.minute)) return false;
  if (!take(text, ":")) return true;
  if (!take_two(text, local.second)) return false;
  if (!take(text, ".")) return true;
  unsigned scale = 100;
  if (text.empty() || !is_digit(text.front())) return false;
  while (!text.empty() && is_digit(text.front())) {
    local.millisecond += scale * static_cast<unsigned>(text.front() - '0');
    scale /= 10;
    text.remove_prefix(1);
  }
  return true;
}

/// Seconds east of UTC of "Z", "+01:00", "-0330" or " 01:00".
std::optional<std::int64_t> parse_offset(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  const bool west = text.starts_with('-');
  unsigned hours = 0;
  unsigned minutes = 0;
  if (!take(text, "+- ") || !take_two(text, hours)) return std::nullopt;
  take(text, ":");
  if (!take_two(text, minutes) || !text.empty() || hours > 23 || minutes > 59) return std::nullopt;
  const std::int64_t seconds = (static_cast<std::int64_t>(hours) * 60 + minutes) * 60;
  return west ? -seconds : seconds;
}

Result<std::int64_t> parse_calendar(std::string_view text, std::string_view parameter, const TimeZone* zone) {
  std::string_view rest = text;
  LocalTime local;
  if (!take_date(rest, local)) return refuse(parameter, text, "is no time", kForms);
  const bool date_only = rest.empty();
  if (!date_only && (!take(rest, "Tt ") || !take_clock(rest, local)))
    return refuse(parameter, text, "is no time", kForms);
  if (!is_valid(local)) return refuse(parameter, text, "is no existing date and time of day", kForms);
  if (date_only)
    return zone == nullptr ? TimeZone::utc().day_start_ms(local.year, local.month, local.day)
                           : zone->day_start_ms(local.year, local.month, local.day);
  if (!rest.empty()) {
    const auto offset = parse_offset(rest);
    if (!offset) return refuse(parameter, text, "has an offset that is neither Z nor like +01:00", kForms);
    const auto utc = TimeZone::utc().to_unix_ms(local);
    if (!utc) return utc;
    return *utc - *offset * kSecond;
  }
  if (zone == nullptr) {
    return refuse(parameter, text, "is a local time, but the request has no tz",
                  "add an offset (Z or +01:00) or tz=Europe/Berlin");
  }
  auto instant = zone->to_unix_ms(local);
  if (!instant) return refuse(parameter, text, "cannot be: " + instant.error().message, instant.error().fix);
  return instant;
}

Result<std::int64_t> relative(std::string_view text, std::string_view parameter, std::string_view duration,
                              int sign, std::int64_t now_ms) {
  const auto ms = parse_duration_ms(duration);
  if (!ms) return refuse(parameter, text, "is no time before or after now", kForms);
  return now_ms + sign * *ms;
}

bool looks_like_calendar(std::string_view text) { return text.size() > 4 && text[4] == '-'; }

Result<std::int64_t> parse_unchecked(std::string_view text, std::string_view parameter, std::int64_t now_ms,
                                     const TimeZone* zone) {
  if (text.empty()) return refuse(parameter, text, "is empty", kForms);
  if (text == "now") return now_ms;
  if (text.starts_with("now-")) return relative(text, parameter, text.substr(4), -1, now_ms);
  // "now 5m" is "now+5m" whose plus sign a URL turned into a space.
  if (text.starts_with("now+") || text.starts_with("now "))
    return relative(text, parameter, text.substr(4), 1, now_ms);
  if (text.front() == '-') return relative(text, parameter, text.substr(1), -1, now_ms);
  if (looks_like_calendar(text)) return parse_calendar(text, parameter, zone);
  std::string_view rest = text;
  const auto number = take_number(rest);
  if (!number || !rest.empty()) return refuse(parameter, text, "is no time", kForms);
  const double ms = *number >= kMillisecondsFrom ? *number : *number * kSecond;
  if (ms > static_cast<double>(kLatestMs))
    return refuse(parameter, text, "lies beyond the year 9999", kForms);
  return std::llround(ms);
}

}  // namespace

Result<std::int64_t> parse_time(std::string_view text, std::string_view parameter, std::int64_t now_ms,
                                const TimeZone* zone) {
  auto time = parse_unchecked(text, parameter, now_ms, zone);
  if (time && (*time < kEarliestMs || *time > kLatestMs))
    return refuse(parameter, text, "lies outside the years 1900 to 9999", kForms);
  return time;
}

Result<Step> parse_step(std::string_view text, std::string_view parameter) {
  constexpr std::int64_t kMaxStep = 3660 * kDay;
  constexpr std::string_view kStepForms = "use 1s, 30s, 5m, 1h, 1d or a number of seconds";
  const auto ms = parse_duration_ms(text);
  if (!ms) return refuse(parameter, text, "is no length of time", kStepForms);
  if (*ms <= 0 || *ms > kMaxStep)
    return refuse(parameter, text, "is not between 1 ms and 10 years", kStepForms);
  return Step{*ms, *ms % kDay == 0 ? static_cast<int>(*ms / kDay) : 0};
}

std::string format_duration(std::int64_t ms) {
  constexpr std::array<std::pair<std::int64_t, std::string_view>, 4> kUnits{
      {{kDay, "d"}, {kHour, "h"}, {kMinute, "m"}, {kSecond, "s"}}};
  for (const auto& [length, unit] : kUnits) {
    if (ms != 0 && ms % length == 0) return std::to_string(ms / length) + std::string(unit);
  }
  return std::to_string(ms) + "ms";
}

Result<TimeRange> parse_range(std::optional<std::string_view> from, std::optional<std::string_view> to,
                              std::int64_t now_ms, const TimeZone* zone) {
  const auto from_ms = parse_time(from.value_or("-1h"), "from", now_ms, zone);
  if (!from_ms) return tl::unexpected(from_ms.error());
  const auto to_ms = parse_time(to.value_or("now"), "to", now_ms, zone);
  if (!to_ms) return tl::unexpected(to_ms.error());
  if (*from_ms >= *to_ms) {
    const TimeZone shown = zone == nullptr ? TimeZone::utc() : *zone;
    return fail(ErrorCode::invalid_argument,
                "from (" + format_rfc3339(*from_ms, shown) + ") does not lie before to (" +
                    format_rfc3339(*to_ms, shown) + ")",
                "swap from and to, or give an earlier from");
  }
  return TimeRange{*from_ms, *to_ms};
}

}  // namespace countertop::query
