#include "collectors/core/clock.hpp"

namespace countertop {

TimeBase read_time_base(const Clock& clock) {
  constexpr std::int64_t kNanosecondsPerUnit = 100'000;
  TimeBase base;
  base.perf_time = clock.monotonic_ns() / kNanosecondsPerUnit;
  base.wall_ms = clock.wall_ms();
  base.perf_frequency = 10'000;
  return base;
}

}  // namespace countertop
