// Runs one collector on a thread of its own, in step with the wall clock, and knows how it is doing.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "collectors/core/bounded_queue.hpp"
#include "collectors/core/clock.hpp"
#include "collectors/core/collector.hpp"

namespace countertop {

/// Wall time in ms of the tick after the one at `previous_ms`: the next multiple of the interval. Ticks that
/// are already over are left out, and when the wall clock was set the ticks start again at the next multiple.
[[nodiscard]] std::int64_t next_tick_ms(std::int64_t previous_ms, std::int64_t now_ms,
                                        std::int64_t interval_ms);

/// Waiting is done on the monotonic clock. Whatever the collector throws is its failure. A collector that is
/// unavailable is asked again every minute; one whose reading lasts longer than five intervals shows as hung
/// until it comes back.
class CollectorRunner {
 public:
  /// Borrows clock and queue, which must outlive it. `interval_ms` >= 1.
  CollectorRunner(std::unique_ptr<Collector> collector, Clock& clock, BoundedQueue<Collected>& queue,
                  std::int64_t interval_ms);
  CollectorRunner(const CollectorRunner&) = delete;
  CollectorRunner& operator=(const CollectorRunner&) = delete;
  /// Asks for a stop and waits for the reading that is under way. For a hung one that may be for ever: check
  /// status().state first and leave the process in another way.
  ~CollectorRunner() = default;

  /// Starts the thread. Once.
  void start();
  /// Without waiting; the destructor waits.
  void request_stop() { thread_.request_stop(); }
  /// What the thread does; returns when a stop is requested. Tests call it on their own thread.
  void run(const std::stop_token& stop);

  /// From any thread.
  [[nodiscard]] CollectorStatus status() const;
  [[nodiscard]] const Collector& collector() const { return *collector_; }

 private:
  [[nodiscard]] Result<Collected> read_guarded();
  void read_once(std::int64_t deadline_ns);
  void note_start(std::int64_t started_ns, std::int64_t deadline_ns);
  void note_end(std::int64_t started_ns, std::int64_t ended_ns, const Result<Collected>& reading);
  void add_marks(Collected& collected, const Result<Collected>& reading, std::int64_t started_wall_ms,
                 std::int64_t duration_ns);
  [[nodiscard]] bool is_unavailable() const;

  const std::unique_ptr<Collector> collector_;
  Clock& clock_;
  BoundedQueue<Collected>& queue_;
  const std::int64_t interval_ms_;
  bool failure_marked_ = false;  // the running thread's only

  mutable std::mutex mutex_;
  CollectorStatus status_;                        // guarded by mutex_
  std::optional<std::int64_t> reading_since_ns_;  // guarded by mutex_

  std::jthread thread_;  // last: it uses everything above
};

}  // namespace countertop
