#include "collectors/core/collector_runner.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "collectors/core/thread.hpp"

namespace countertop {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kUnavailableRetryMs = 60'000;
constexpr std::int64_t kHungIntervals = 5;

std::string seconds_text(std::int64_t ns) {
  const std::int64_t tenths = ns / 100'000'000;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

}  // namespace

std::int64_t next_tick_ms(std::int64_t previous_ms, std::int64_t now_ms, std::int64_t interval_ms) {
  const std::int64_t in_step = previous_ms + interval_ms;
  if (in_step > now_ms && in_step <= now_ms + 2 * interval_ms) return in_step;
  const std::int64_t rest = now_ms % interval_ms;
  return now_ms - (rest < 0 ? rest + interval_ms : rest) + interval_ms;
}

CollectorRunner::CollectorRunner(std::unique_ptr<Collector> collector, Clock& clock,
                                 BoundedQueue<Collected>& queue, std::int64_t interval_ms)
    : collector_(std::move(collector)),
      clock_(clock),
      queue_(queue),
      interval_ms_(std::max<std::int64_t>(interval_ms, 1)) {
  status_.name = collector_->name();
  status_.interval_ms = interval_ms_;
}

void CollectorRunner::start() {
  thread_ = std::jthread([this](const std::stop_token& stop) {
    set_thread_name("ct-" + std::string(collector_->name()));
    run(stop);
  });
}

void CollectorRunner::run(const std::stop_token& stop) {
  // The first reading is taken at once; it counts as the tick nearest to now, so that the first interval is
  // no sliver.
  const std::int64_t half = interval_ms_ / 2;
  std::int64_t tick_ms = next_tick_ms(0, clock_.wall_ms() + half, interval_ms_) - interval_ms_;
  std::int64_t deadline_ns = clock_.monotonic_ns();
  while (!stop.stop_requested()) {
    read_once(deadline_ns);
    const std::int64_t pause_ms =
        is_unavailable() ? std::max(kUnavailableRetryMs, interval_ms_) : interval_ms_;
    const std::int64_t now_ms = clock_.wall_ms();
    tick_ms = next_tick_ms(tick_ms, now_ms, pause_ms);
    deadline_ns = clock_.monotonic_ns() + (tick_ms - now_ms) * kNsPerMs;
    if (!clock_.sleep_until(deadline_ns, stop)) break;
  }
  const std::lock_guard lock(mutex_);
  status_.state = CollectorState::off;
}

Result<Collected> CollectorRunner::read_guarded() {
  try {
    return collector_->collect(clock_);
  } catch (const std::exception& thrown) {
    return fail(ErrorCode::internal, std::string("the collector threw: ") + thrown.what());
  } catch (...) {
    return fail(ErrorCode::internal, "the collector threw something unknown");
  }
}

void CollectorRunner::read_once(std::int64_t deadline_ns) {
  const std::int64_t started_wall_ms = clock_.wall_ms();
  const std::int64_t started_ns = clock_.monotonic_ns();
  note_start(started_ns, deadline_ns);
  Result<Collected> reading = read_guarded();
  const std::int64_t ended_ns = clock_.monotonic_ns();
  note_end(started_ns, ended_ns, reading);

  Collected collected = reading ? std::move(*reading) : Collected{};
  add_marks(collected, reading, started_wall_ms, ended_ns - started_ns);
  if (!collected.snapshots.empty() || !collected.marks.empty()) queue_.push(std::move(collected));
}

void CollectorRunner::note_start(std::int64_t started_ns, std::int64_t deadline_ns) {
  const std::lock_guard lock(mutex_);
  reading_since_ns_ = started_ns;
  status_.last_lateness_us = std::max<std::int64_t>(started_ns - deadline_ns, 0) / 1000;
  if (started_ns - deadline_ns > interval_ms_ * kNsPerMs / 2) ++status_.late_ticks;
}

void CollectorRunner::note_end(std::int64_t started_ns, std::int64_t ended_ns,
                               const Result<Collected>& reading) {
  const std::int64_t cpu_us = thread_cpu_time_ns() / 1000;
  const std::int64_t wall_ms = clock_.wall_ms();
  const std::lock_guard lock(mutex_);
  reading_since_ns_.reset();
  ++status_.readings;
  status_.late_ticks +=
      static_cast<std::uint64_t>((ended_ns - started_ns) / kNsPerMs / interval_ms_);  // ran over them
  status_.last_duration_us = (ended_ns - started_ns) / 1000;
  status_.longest_duration_us = std::max(status_.longest_duration_us, status_.last_duration_us);
  status_.cpu_time_us = cpu_us;
  status_.reason.clear();
  status_.fix.clear();
  if (reading) {
    status_.state = CollectorState::running;
    status_.last_success_wall_ms = wall_ms;
    if (!reading->problems.empty()) {
      status_.reason = reading->problems.front().message;
      status_.fix = reading->problems.front().fix;
    }
    return;
  }
  status_.reason = reading.error().message;
  status_.fix = reading.error().fix;
  const bool unavailable = reading.error().code == ErrorCode::unavailable;
  status_.state = unavailable ? CollectorState::unavailable : CollectorState::failing;
  if (!unavailable) ++status_.failures;
}

void CollectorRunner::add_marks(Collected& collected, const Result<Collected>& reading,
                                std::int64_t started_wall_ms, std::int64_t duration_ns) {
  const std::string who = "the collector '" + std::string(collector_->name()) + "' ";
  const std::int64_t now_ms = clock_.wall_ms();
  if (duration_ns > kHungIntervals * interval_ms_ * kNsPerMs) {
    collected.marks.push_back({started_wall_ms, MarkKind::collector_failed,
                               who + "did not come back for " + seconds_text(duration_ns),
                               std::max(now_ms, started_wall_ms + 1)});
  }
  const bool had_success = status().last_success_wall_ms != 0;
  if (reading && failure_marked_) {
    failure_marked_ = false;
    collected.marks.push_back({now_ms, MarkKind::collector_back, who + "gives data again", 0});
  } else if (!reading && !failure_marked_ &&
             (had_success || reading.error().code != ErrorCode::unavailable)) {
    // A source that this machine never had is no event on the time line.
    failure_marked_ = true;
    collected.marks.push_back(
        {now_ms, MarkKind::collector_failed, who + "gives no data: " + reading.error().message, 0});
  }
}

bool CollectorRunner::is_unavailable() const {
  const std::lock_guard lock(mutex_);
  return status_.state == CollectorState::unavailable;
}

CollectorStatus CollectorRunner::status() const {
  const std::int64_t now_ns = clock_.monotonic_ns();
  const std::lock_guard lock(mutex_);
  CollectorStatus copy = status_;
  if (reading_since_ns_ && now_ns - *reading_since_ns_ > kHungIntervals * interval_ms_ * kNsPerMs) {
    copy.state = CollectorState::hung;
    copy.reason = "a reading has not come back for " + seconds_text(now_ns - *reading_since_ns_);
    copy.fix.clear();
  }
  return copy;
}

}  // namespace countertop
