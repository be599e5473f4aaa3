// Times, durations and ranges as people write them in `from`, `to`, `at` and `step`.
//
//   time     = "now" [ ("+"|"-") duration ]     now, now-1h
//            | "-" duration                     -10m, -1h30m: before now
//            | "-" number                       -600: seconds before now
//            | number                           Unix seconds, with fraction; from 1e11 on Unix milliseconds
//            | date                             2026-11-01: first instant of that day in `tz`, without `tz`
//            in UTC | date ("T"|"t"|" ") clock offset  RFC 3339: 2026-11-01T02:30:00.5+01:00, ...Z. A space
//            before the offset's
//                                               digits counts as "+", which is what an unescaped "+" in a URL
//                                               becomes
//            | date ("T"|"t"|" ") clock         local time, only together with `tz`. One that a clock change
//            skips is
//                                               refused; of one that exists twice the first is meant
//   clock    = hh ":" mm [ ":" ss [ "." digits ] ]
//   duration = one or more of: number unit      unit: ms, s, m, h, d (24 h), w
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/core/result.hpp"
#include "server/query/model.hpp"
#include "server/query/time_zone.hpp"

namespace countertop::query {

/// Unix milliseconds. `parameter` is named in errors; `zone` null: the request has no `tz`.
[[nodiscard]] Result<std::int64_t> parse_time(std::string_view text, std::string_view parameter,
                                              std::int64_t now_ms, const TimeZone* zone);

/// Length of a bucket. Whole days are calendar days of the request's zone.
struct Step {
  std::int64_t ms = 0;  // of calendar days 86'400'000 each
  int days = 0;         // > 0: calendar days

  friend bool operator==(const Step&, const Step&) = default;
};

/// "10s", "1m30s", "1d", "60" (seconds), "0.5". More than 0 and at most 10 years; a whole multiple of 24 h is
/// days.
[[nodiscard]] Result<Step> parse_step(std::string_view text, std::string_view parameter);

/// "10s", "5m", "2h", "1d", "1500ms": the shortest text that parse_step reads back.
[[nodiscard]] std::string format_duration(std::int64_t ms);

/// A request's range, half-open. Missing `from` is -1h, missing `to` is now; both before or after now are
/// fine, but `from` must lie before `to`.
[[nodiscard]] Result<TimeRange> parse_range(std::optional<std::string_view> from,
                                            std::optional<std::string_view> to, std::int64_t now_ms,
                                            const TimeZone* zone);

}  // namespace countertop::query
