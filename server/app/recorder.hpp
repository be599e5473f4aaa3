// The way of a sample: collectors' threads -> queue -> writer -> live values and file; and the file's upkeep.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "collectors/core/bounded_queue.hpp"
#include "collectors/core/clock.hpp"
#include "collectors/core/clock_watch.hpp"
#include "collectors/core/collector_runner.hpp"
#include "server/api/services.hpp"
#include "server/history/history_writer.hpp"
#include "server/history/maintenance.hpp"
#include "server/query/live_tail.hpp"

namespace countertop::app {

struct RecorderOptions {
  std::filesystem::path directory;
  history::RetentionPolicy retention;
  std::int64_t interval_ms = 1000;
  std::function<void()> more_upkeep;  // called with the file's upkeep, on its thread; may be empty
};

class Recorder {
 public:
  /// Everything borrowed outlives it.
  Recorder(RecorderOptions options, Clock& clock, history::HistoryWriter& writer, query::LiveTail& live,
           api::MarkLog& marks);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  /// Before start.
  void add(std::unique_ptr<Collector> collector);
  void start();
  /// Ends collectors, then writes what they left. A hung collector is not waited for: false, and the process
  /// should be left without destroying this object.
  [[nodiscard]] bool stop();

  /// Any thread.
  [[nodiscard]] std::vector<CollectorStatus> statuses() const;
  [[nodiscard]] history::StoreStatus store_status() const;
  [[nodiscard]] std::size_t queue_length() const { return queue_.size(); }
  [[nodiscard]] std::uint64_t dropped_readings() const { return queue_.dropped(); }
  /// Why nothing can be stored at the moment; empty when all is well.
  [[nodiscard]] std::string storing_problem() const;

 private:
  using Batch = std::vector<Collected>;

  void write_loop(const std::stop_token& stop);
  [[nodiscard]] Batch next_batch(const std::stop_token& stop);
  void publish(const Batch& batch);
  void store(Batch& waiting);
  void note_storing(const Result<history::WriteReport>& report);
  void upkeep_loop(const std::stop_token& stop);
  [[nodiscard]] Result<bool> upkeep_step();

  const RecorderOptions options_;
  Clock& clock_;
  history::HistoryWriter& writer_;
  query::LiveTail& live_;
  api::MarkLog& mark_log_;
  BoundedQueue<Collected> queue_;
  ClockWatch clock_watch_;  // writer's thread only

  mutable std::mutex mutex_;
  std::string storing_problem_;                        // guarded by mutex_
  history::StoreStatus store_status_;                  // guarded by mutex_
  std::unique_ptr<history::Maintenance> maintenance_;  // upkeep's thread only

  std::vector<std::unique_ptr<CollectorRunner>> runners_;
  std::jthread upkeep_thread_;
  std::jthread writer_thread_;
};

}  // namespace countertop::app
