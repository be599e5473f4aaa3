#include "collectors/core/clock_watch.hpp"

#include <string>

namespace countertop {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kToleranceMs = 1000;

/// "3 h 20 min", "4.2 s"
std::string length_text(std::int64_t ms) {
  if (ms < 60'000) {
    const std::int64_t tenths = (ms + 50) / 100;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
  }
  const std::int64_t minutes = (ms + 30'000) / 60'000;
  if (minutes < 60) return std::to_string(minutes) + " min";
  return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

}  // namespace

ClockReadings read_clocks(const Clock& clock) {
  return {clock.wall_ms(), clock.monotonic_ns(), clock.boottime_ns()};
}

std::vector<Mark> ClockWatch::tick(const ClockReadings& now) {
  std::vector<Mark> marks;
  if (!previous_) {
    previous_ = now;
    return marks;
  }
  const ClockReadings before = *previous_;
  previous_ = now;
  const std::int64_t awake_ms = (now.monotonic_ns - before.monotonic_ns) / kNsPerMs;
  const std::int64_t passed_ms = (now.boottime_ns - before.boottime_ns) / kNsPerMs;
  const std::int64_t asleep_ms = passed_ms - awake_ms;
  const std::int64_t expected_wall_ms = before.wall_ms + passed_ms;
  const std::int64_t step_ms = now.wall_ms - expected_wall_ms;

  if (asleep_ms > kToleranceMs) {
    marks.push_back({before.wall_ms, MarkKind::suspend,
                     "the computer was asleep for " + length_text(asleep_ms),
                     step_ms > kToleranceMs ? expected_wall_ms : now.wall_ms});
  }
  if (step_ms > kToleranceMs) {
    marks.push_back({expected_wall_ms, MarkKind::clock_step,
                     "the clock was put forward by " + length_text(step_ms), now.wall_ms});
  } else if (step_ms < -kToleranceMs) {
    marks.push_back(
        {now.wall_ms, MarkKind::clock_step, "the clock was put back by " + length_text(-step_ms), 0});
  }
  // One missed tick is jitter.
  if (awake_ms > interval_ms_ * 5 / 2) {
    marks.push_back({before.wall_ms, MarkKind::late,
                     "no sample was taken for " + length_text(awake_ms) + ": the computer was too busy",
                     step_ms > kToleranceMs ? expected_wall_ms : now.wall_ms});
  }
  return marks;
}

}  // namespace countertop
