#include "collectors/core/clock.hpp"

#include <catch2/catch_test_macros.hpp>
#include <ctime>
#include <thread>

#include "collectors/core/thread.hpp"
#include "tests/support/manual_clock.hpp"

namespace countertop {
namespace {

TEST_CASE("A time base counts tenths of a millisecond of the monotonic clock", "[clock]") {
  test::ManualClock clock(1'700'000'000'123);
  const TimeBase before = read_time_base(clock);
  CHECK(before.wall_ms == 1'700'000'000'123);
  CHECK(before.perf_frequency == 10'000);
  clock.advance_ms(1'500);
  clock.suspend_ms(60'000);
  const TimeBase after = read_time_base(clock);
  CHECK(after.perf_time - before.perf_time == 15'000);
  CHECK(after.wall_ms - before.wall_ms == 61'500);
}

TEST_CASE("The system's clocks agree with the C library and never go back", "[clock]") {
  Clock& clock = system_clock();
  const auto now = static_cast<std::int64_t>(std::time(nullptr)) * 1000;
  CHECK(clock.wall_ms() >= now - 1000);
  CHECK(clock.wall_ms() <= now + 60'000);
  const std::int64_t first = clock.monotonic_ns();
  CHECK(clock.monotonic_ns() >= first);
  CHECK(clock.boottime_ns() >= first);
}

TEST_CASE("Sleeping ends at a deadline that is over, and at a stop request", "[clock]") {
  Clock& clock = system_clock();
  std::stop_source stop;
  CHECK(clock.sleep_until(clock.monotonic_ns() - 1, stop.get_token()));
  const std::jthread stopper([&] { stop.request_stop(); });
  CHECK_FALSE(clock.sleep_until(clock.monotonic_ns() + std::int64_t{3600} * 1'000'000'000, stop.get_token()));
}

TEST_CASE("The CPU time of a thread grows with its work", "[clock]") {
  const std::int64_t before = thread_cpu_time_ns();
  volatile double sum = 0;
  for (int i = 0; i < 200'000; ++i) sum = sum + i;
  CHECK(thread_cpu_time_ns() > before);
}

}  // namespace
}  // namespace countertop
