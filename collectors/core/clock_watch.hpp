// Notices what happened to the time between two ticks: the machine slept, the wall clock was set, the sampler
// did not get to run. Pure: fed with clock readings, gives marks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collectors/core/clock.hpp"
#include "collectors/core/snapshot.hpp"

namespace countertop {

struct ClockReadings {
  std::int64_t wall_ms = 0;
  std::int64_t monotonic_ns = 0;  // stands still during sleep
  std::int64_t boottime_ns = 0;   // does not
};

[[nodiscard]] ClockReadings read_clocks(const Clock& clock);

class ClockWatch {
 public:
  explicit ClockWatch(std::int64_t interval_ms) : interval_ms_(interval_ms) {}

  /// Call once a tick. The marks explain the time since the tick before:
  /// - suspend: boottime went on more than a second further than the monotonic clock; from the last tick on
  ///   to now;
  /// - clock_step: the wall clock moved more than a second more or less than boottime. Set forward, the mark
  ///   reaches over the labels that do not exist; set back, it is a moment, since labels repeat but no time
  ///   is missing;
  /// - late: at least two ticks in a row did not happen though the machine was awake.
  [[nodiscard]] std::vector<Mark> tick(const ClockReadings& now);

 private:
  std::int64_t interval_ms_;
  std::optional<ClockReadings> previous_;
};

}  // namespace countertop
