// The machine's clocks on Linux. CLOCK_MONOTONIC stands still while the machine sleeps, CLOCK_BOOTTIME does
// not.
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>

#include "collectors/core/clock.hpp"

namespace countertop {
namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

std::int64_t read_ns(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return static_cast<std::int64_t>(now.tv_sec) * kNanosecondsPerSecond + now.tv_nsec;
}

class SystemClock final : public Clock {
 public:
  [[nodiscard]] std::int64_t wall_ms() const override { return read_ns(CLOCK_REALTIME) / 1'000'000; }
  [[nodiscard]] std::int64_t monotonic_ns() const override { return read_ns(CLOCK_MONOTONIC); }
  [[nodiscard]] std::int64_t boottime_ns() const override { return read_ns(CLOCK_BOOTTIME); }

  bool sleep_until(std::int64_t deadline_ns, const std::stop_token& stop) override {
    // libstdc++'s steady_clock is CLOCK_MONOTONIC, so the deadline needs no conversion.
    const std::chrono::steady_clock::time_point deadline{std::chrono::nanoseconds(deadline_ns)};
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_until(lock, stop, deadline, [] { return false; });
    return !stop.stop_requested();
  }
};

}  // namespace

Clock& system_clock() {
  static SystemClock clock;
  return clock;
}

}  // namespace countertop
