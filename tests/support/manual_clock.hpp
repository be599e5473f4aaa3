// A clock that moves only when a test says so.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

#include "collectors/core/clock.hpp"

namespace countertop::test {

/// Thread-safe. Sleeping does not wait: it moves the clocks to the deadline at once.
class ManualClock final : public Clock {
 public:
  /// 2026-11-30T12:00:00Z unless told otherwise; monotonic and boot time begin at 1000 s.
  explicit ManualClock(std::int64_t wall_ms = 1'796'040'000'000) : wall_ns_(wall_ms * kNsPerMs) {}

  [[nodiscard]] std::int64_t wall_ms() const override { return read(wall_ns_) / kNsPerMs; }
  [[nodiscard]] std::int64_t monotonic_ns() const override { return read(monotonic_ns_); }
  [[nodiscard]] std::int64_t boottime_ns() const override { return read(boottime_ns_); }

  bool sleep_until(std::int64_t deadline_ns, const std::stop_token& stop) override {
    const std::int64_t now = monotonic_ns();
    if (deadline_ns > now) advance_ns(deadline_ns - now);
    std::shared_ptr<std::function<bool()>> hook;  // shared: it may replace itself, and keeps its own state
    {
      const std::lock_guard lock(mutex_);
      ++sleeps_;
      hook = on_sleep_;
    }
    return (hook == nullptr || (*hook)()) && !stop.stop_requested();
  }

  /// Everything goes on.
  void advance_ms(std::int64_t ms) { advance_ns(ms * kNsPerMs); }
  /// The machine sleeps: the monotonic clock stands still.
  void suspend_ms(std::int64_t ms) {
    const std::lock_guard lock(mutex_);
    wall_ns_ += ms * kNsPerMs;
    boottime_ns_ += ms * kNsPerMs;
  }
  /// Somebody sets the wall clock, forward or back.
  void step_wall_ms(std::int64_t ms) {
    const std::lock_guard lock(mutex_);
    wall_ns_ += ms * kNsPerMs;
  }
  /// Called after each sleep; false ends the sleeper's loop like a stop request.
  void on_sleep(std::function<bool()> hook) {
    const std::lock_guard lock(mutex_);
    on_sleep_ = std::make_shared<std::function<bool()>>(std::move(hook));
  }
  [[nodiscard]] int sleeps() const {
    const std::lock_guard lock(mutex_);
    return sleeps_;
  }

 private:
  static constexpr std::int64_t kNsPerMs = 1'000'000;

  [[nodiscard]] std::int64_t read(const std::int64_t& clock) const {
    const std::lock_guard lock(mutex_);
    return clock;
  }
  void advance_ns(std::int64_t ns) {
    const std::lock_guard lock(mutex_);
    wall_ns_ += ns;
    monotonic_ns_ += ns;
    boottime_ns_ += ns;
  }

  mutable std::mutex mutex_;
  std::int64_t wall_ns_;                             // guarded by mutex_
  std::int64_t monotonic_ns_ = 1'000'000'000'000;    // guarded by mutex_
  std::int64_t boottime_ns_ = 1'000'000'000'000;     // guarded by mutex_
  int sleeps_ = 0;                                   // guarded by mutex_
  std::shared_ptr<std::function<bool()>> on_sleep_;  // guarded by mutex_
};

}  // namespace countertop::test
