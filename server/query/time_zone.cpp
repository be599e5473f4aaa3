#include "server/query/time_zone.hpp"

#include <date/tz.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <mutex>

#include "server/query/suggest.hpp"

namespace countertop::query {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using SysMs = date::sys_time<milliseconds>;
using LocalMs = date::local_time<milliseconds>;

SysMs clamped(std::int64_t unix_ms) {
  return SysMs(milliseconds(std::clamp(unix_ms, kEarliestMs, kLatestMs)));
}

const date::time_zone& zone_of(const void* zone) { return *static_cast<const date::time_zone*>(zone); }

/// The tz library reports a missing or damaged database by throwing, also when a zone is first used.
const date::time_zone* locate(std::string_view name) {
  try {
    const date::time_zone* const zone = date::locate_zone(std::string(name));
    static_cast<void>(zone->get_info(date::sys_seconds{}));
    return zone;
  } catch (const std::exception&) {
    return nullptr;
  }
}

std::vector<std::string> zone_names() {
  std::vector<std::string> names;
  try {
    for (const date::time_zone& zone : date::get_tzdb().zones) names.push_back(zone.name());
  } catch (const std::exception&) {
    names.clear();
  }
  return names;
}

/// Near in the whole name or in its last part: "berlin" finds "Europe/Berlin".
std::vector<std::string> near_zones(std::string_view wanted, const std::vector<std::string>& names) {
  const auto last_part = [](std::string_view name) { return name.substr(name.rfind('/') + 1); };
  for (const std::string& name : names) {
    if (edit_distance(last_part(name), last_part(wanted), 0) == 0) return {name};
  }
  return nearest_names(wanted, names);
}

date::sys_info info_at(const void* zone, SysMs time) {
  return zone_of(zone).get_info(date::floor<seconds>(time));
}

LocalMs local_time(const LocalTime& local) {
  const date::year_month_day day{date::year(local.year), date::month(local.month), date::day(local.day)};
  return date::local_days(day) + std::chrono::hours(local.hour) + std::chrono::minutes(local.minute) +
         seconds(local.second) + milliseconds(local.millisecond);
}

/// First instant whose local time is `midnight` or later.
std::int64_t first_instant_ms(const void* zone, date::local_days midnight) {
  if (zone == nullptr) return milliseconds(midnight.time_since_epoch()).count();
  const date::local_info info = zone_of(zone).get_info(date::local_seconds(midnight));
  const date::sys_seconds instant = info.result == date::local_info::nonexistent
                                        ? info.first.end
                                        : date::sys_seconds(midnight.time_since_epoch() - info.first.offset);
  return milliseconds(instant.time_since_epoch()).count();
}

std::string two_digits(unsigned value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%02u", value);
  return text.data();
}

std::string format_offset(std::int64_t offset_s) {
  const auto minutes = static_cast<unsigned>((offset_s < 0 ? -offset_s : offset_s) / 60);
  return (offset_s < 0 ? "-" : "+") + two_digits(minutes / 60) + ":" + two_digits(minutes % 60);
}

}  // namespace

Result<TimeZone> TimeZone::find(std::string_view name) {
  if (name == "UTC" || name == "utc" || name == "Z" || name == "Etc/UTC") return utc();
  constexpr std::size_t kMaxNameBytes = 64;
  static std::mutex mutex;  // the library loads a zone when it is first used
  const std::lock_guard lock(mutex);
  if (!name.empty() && name.size() <= kMaxNameBytes) {
    if (const date::time_zone* const zone = locate(name)) return TimeZone(zone);
  }
  const std::vector<std::string> names = zone_names();
  if (names.empty())
    return fail(ErrorCode::unavailable, "this machine has no time zone database, only UTC is known",
                "install tzdata");
  std::string message = "there is no time zone '" + std::string(name.substr(0, kMaxNameBytes)) + "'";
  const std::vector<std::string> near = near_zones(name, names);
  if (!near.empty()) message += ", " + did_you_mean(near);
  return fail(ErrorCode::invalid_argument, message, "use UTC or a name like Europe/Berlin");
}

std::string TimeZone::name() const { return zone_ == nullptr ? "UTC" : zone_of(zone_).name(); }

std::int64_t TimeZone::offset_s(std::int64_t unix_ms) const {
  return zone_ == nullptr ? 0 : info_at(zone_, clamped(unix_ms)).offset.count();
}

LocalTime TimeZone::to_local(std::int64_t unix_ms) const {
  const LocalMs local(clamped(unix_ms).time_since_epoch() + seconds(offset_s(unix_ms)));
  const auto day = date::floor<date::days>(local);
  const date::year_month_day calendar(day);
  const auto time = date::make_time(local - day);
  return {static_cast<int>(calendar.year()),
          static_cast<unsigned>(calendar.month()),
          static_cast<unsigned>(calendar.day()),
          static_cast<unsigned>(time.hours().count()),
          static_cast<unsigned>(time.minutes().count()),
          static_cast<unsigned>(time.seconds().count()),
          static_cast<unsigned>(time.subseconds().count())};
}

Result<std::int64_t> TimeZone::to_unix_ms(const LocalTime& local) const {
  if (!is_valid(local)) return fail(ErrorCode::invalid_argument, "this date or time of day does not exist");
  const LocalMs wanted = local_time(local);
  if (zone_ == nullptr) return wanted.time_since_epoch().count();
  const date::local_info info = zone_of(zone_).get_info(date::floor<seconds>(wanted));
  if (info.result == date::local_info::nonexistent) {
    const std::int64_t change = milliseconds(info.first.end.time_since_epoch()).count();
    return fail(ErrorCode::invalid_argument,
                "this local time does not exist in " + name() + ": the clocks were put forward at " +
                    format_rfc3339(change - 1000, *this) + " to " + format_rfc3339(change, *this),
                "use a time before or after the change, or one with an offset");
  }
  return (wanted.time_since_epoch() - info.first.offset).count();
}

Result<std::int64_t> TimeZone::day_start_ms(int year, unsigned month, unsigned day) const {
  const LocalTime midnight{year, month, day};
  if (!is_valid(midnight)) return fail(ErrorCode::invalid_argument, "this date does not exist");
  return first_instant_ms(zone_, date::floor<date::days>(local_time(midnight)));
}

std::vector<std::int64_t> TimeZone::day_starts_ms(std::int64_t from_ms, std::int64_t to_ms, int days) const {
  const SysMs from = clamped(from_ms);
  const LocalMs local_from(from.time_since_epoch() + seconds(offset_s(from_ms)));
  const auto day_number = date::floor<date::days>(local_from).time_since_epoch().count();
  // 1970-01-01 was a Thursday: shifting by three days makes whole weeks start on Monday.
  const int shift = days % 7 == 0 ? 3 : 0;
  const int in_group = ((day_number + shift) % days + days) % days;
  date::local_days group(date::days(day_number - in_group));
  std::vector<std::int64_t> starts{first_instant_ms(zone_, group)};
  while (starts.back() < to_ms) {
    group += date::days(days);
    const std::int64_t next = first_instant_ms(zone_, group);
    // A date that a zone skipped as a whole (Samoa, 2011-12-30) has no length.
    if (next > starts.back()) starts.push_back(next);
  }
  return starts;
}

bool is_valid(const LocalTime& local) {
  if (local.year < 1900 || local.year > 9999) return false;
  const date::year_month_day day{date::year(local.year), date::month(local.month), date::day(local.day)};
  return day.ok() && local.hour < 24 && local.minute < 60 && local.second < 60 && local.millisecond < 1000;
}

std::string format_rfc3339(std::int64_t unix_ms, const TimeZone& zone) {
  const std::int64_t offset_s = zone.offset_s(unix_ms);
  // Offsets of the time before zones have seconds, which RFC 3339 cannot write.
  if (offset_s % 60 != 0) return format_rfc3339(unix_ms, TimeZone::utc());
  const LocalTime local = zone.to_local(unix_ms);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02u:%02u:%02u", local.year, local.month, local.day,
                local.hour, local.minute, local.second);
  std::string out = text.data();
  if (local.millisecond != 0) {
    std::snprintf(text.data(), text.size(), ".%03u", local.millisecond);
    out += text.data();
  }
  return out + (zone.is_utc() ? "Z" : format_offset(offset_s));
}

}  // namespace countertop::query
