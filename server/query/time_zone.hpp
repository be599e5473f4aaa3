// Zones of the tz database: offsets, calendar days, and local times that do not exist or exist twice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/result.hpp"

namespace countertop::query {

/// A calendar date with a time of day in some zone.
struct LocalTime {
  int year = 1970;
  unsigned month = 1, day = 1;
  unsigned hour = 0, minute = 0, second = 0, millisecond = 0;

  friend bool operator==(const LocalTime&, const LocalTime&) = default;
};

/// A small value; copy it. What it points into lives as long as the program. All functions may be called from
/// any thread.
class TimeZone {
 public:
  /// Needs no tz database.
  [[nodiscard]] static TimeZone utc() { return TimeZone(nullptr); }
  /// "UTC", "Z", or a name of the tz database such as "Europe/Berlin"; invalid_argument names near ones.
  /// unavailable: this machine has no tz database.
  [[nodiscard]] static Result<TimeZone> find(std::string_view name);

  [[nodiscard]] std::string name() const;
  [[nodiscard]] bool is_utc() const { return zone_ == nullptr; }
  /// Seconds east of UTC at that instant.
  [[nodiscard]] std::int64_t offset_s(std::int64_t unix_ms) const;
  [[nodiscard]] LocalTime to_local(std::int64_t unix_ms) const;
  /// A time that a clock change skips is invalid_argument, with the times around it. Of one that exists twice
  /// the first is taken: write an offset to name the second.
  [[nodiscard]] Result<std::int64_t> to_unix_ms(const LocalTime& local) const;
  /// First instant of a date: where a clock change skips midnight it is the end of the skipped time.
  [[nodiscard]] Result<std::int64_t> day_start_ms(int year, unsigned month, unsigned day) const;
  /// Starts of groups of `days` calendar days, from the group that holds `from_ms` to the first boundary at
  /// or after `to_ms`: at least two, ascending. Groups are counted from 1970-01-01; whole weeks start on
  /// Monday. Precondition: from_ms < to_ms, both within kEarliestMs..kLatestMs; days >= 1.
  [[nodiscard]] std::vector<std::int64_t> day_starts_ms(std::int64_t from_ms, std::int64_t to_ms,
                                                        int days) const;

  friend bool operator==(const TimeZone&, const TimeZone&) = default;

 private:
  explicit TimeZone(const void* zone) : zone_(zone) {}
  const void* zone_;  // of the tz library; null for UTC
};

/// Years 1900 to 9999: what RFC 3339 can write and people can mean.
inline constexpr std::int64_t kEarliestMs = -2'208'988'800'000;
inline constexpr std::int64_t kLatestMs = 253'402'300'799'999;

/// True for a date of the Gregorian calendar with a time of day, year 1900 to 9999.
[[nodiscard]] bool is_valid(const LocalTime& local);

/// "2026-11-01T00:00:00+01:00", "...Z" for UTC; milliseconds only when there are any. Outside
/// kEarliestMs..kLatestMs the nearest end is written.
[[nodiscard]] std::string format_rfc3339(std::int64_t unix_ms, const TimeZone& zone);

}  // namespace countertop::query
