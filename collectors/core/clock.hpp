// Time as collectors see it; injected, so that tests step, stop and rewind it.
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>

#include "collectors/core/snapshot.hpp"

namespace countertop {

class Clock {
 public:
  virtual ~Clock() = default;
  /// Unix milliseconds.
  [[nodiscard]] virtual std::int64_t wall_ms() const = 0;
  /// Nanoseconds that only grow and do not count suspended time (CLOCK_MONOTONIC).
  [[nodiscard]] virtual std::int64_t monotonic_ns() const = 0;
  /// Nanoseconds that only grow and count suspended time (CLOCK_BOOTTIME).
  [[nodiscard]] virtual std::int64_t boottime_ns() const = 0;
  /// Waits until the monotonic clock reaches `deadline_ns`, or a stop is requested (then false).
  virtual bool sleep_until(std::int64_t deadline_ns, const std::stop_token& stop) = 0;
};

/// Both clocks of one reading: perf_frequency is 10'000, i.e. perf_time counts tenths of a millisecond.
[[nodiscard]] TimeBase read_time_base(const Clock& clock);

/// The machine's clocks. Lives as long as the program.
[[nodiscard]] Clock& system_clock();

}  // namespace countertop
