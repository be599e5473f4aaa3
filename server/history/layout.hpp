// How rows are keyed: windows, parts and packed ids. The same numbers stand in migrations/0001_initial.sql.
#pragma once

#include <algorithm>
#include <cstdint>

namespace countertop::history {

inline constexpr std::int64_t kWindowMs = 1'200'000;         // one chunk: 20 minutes
inline constexpr std::int64_t kMinuteWindowMs = 43'200'000;  // one row of minutes: 12 hours
inline constexpr std::int64_t kMinuteMs = 60'000;
inline constexpr std::int64_t kHourMs = 3'600'000;
inline constexpr std::int64_t kWindowsPerMinuteWindow = kMinuteWindowMs / kWindowMs;

inline constexpr std::int64_t kMaxWindow = (std::int64_t{1} << 23) - 1;  // until the year 2289
inline constexpr std::int64_t kMaxPart = 255;
inline constexpr std::int64_t kMaxInstance = (std::int64_t{1} << 31) - 1;
inline constexpr std::int64_t kMaxMinuteWindow = (std::int64_t{1} << 18) - 1;  // until the year 2328
inline constexpr std::int64_t kMaxMinutePart = 127;

/// Times outside of what ids can hold (a clock before 1970) fall into the first or last window.
[[nodiscard]] constexpr std::int64_t window_of(std::int64_t wall_ms, std::int64_t window_ms = kWindowMs) {
  return std::clamp<std::int64_t>(wall_ms / window_ms, 0, kMaxWindow);
}

[[nodiscard]] constexpr std::int64_t pack_id(std::int64_t window, std::int64_t part, std::int64_t instance) {
  return window << 40 | part << 32 | instance;
}
[[nodiscard]] constexpr std::int64_t window_of_id(std::int64_t id) { return id >> 40; }
[[nodiscard]] constexpr std::int64_t part_of_id(std::int64_t id) { return (id >> 32) & kMaxPart; }
[[nodiscard]] constexpr std::int64_t instance_of_id(std::int64_t id) { return id & 0xFFFF'FFFF; }

[[nodiscard]] constexpr std::int64_t minute_window_of(std::int64_t wall_ms) {
  return std::min(window_of(wall_ms, kMinuteWindowMs), kMaxMinuteWindow);
}

/// Minutes of one counter lie together, so that a month of them is read in one go. `counter`: its place in
/// the object's definition, below kMaxCountersPerObject.
[[nodiscard]] constexpr std::int64_t pack_minute_id(std::int64_t instance, std::int64_t counter,
                                                    std::int64_t window, std::int64_t part) {
  return instance << 32 | counter << 25 | window << 7 | part;
}
[[nodiscard]] constexpr std::int64_t counter_of_minute_id(std::int64_t id) { return (id >> 25) & 127; }
[[nodiscard]] constexpr std::int64_t window_of_minute_id(std::int64_t id) {
  return (id >> 7) & kMaxMinuteWindow;
}
[[nodiscard]] constexpr std::int64_t part_of_minute_id(std::int64_t id) { return id & kMaxMinutePart; }

inline constexpr int kRoleData = 0;
inline constexpr int kRoleClock = 1;

/// State of part.rolled: whether the minute tier has the part's values.
inline constexpr int kNotRolled = 0;
inline constexpr int kRolling = 1;
inline constexpr int kRolled = 2;

}  // namespace countertop::history
