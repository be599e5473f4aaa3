// The newest two snapshots of every object, in memory: what "now" shows and streams send, without touching
// the disk.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/cook.hpp"
#include "collectors/core/result.hpp"
#include "collectors/core/snapshot.hpp"
#include "server/query/model.hpp"

namespace countertop::query {

struct LatestValue {
  std::string path;  // canonical
  std::string object, instance, counter, unit;
  CounterType type = CounterType::large_raw_count;
  double value = 0;  // NaN unless absence is none
  Absence absence = Absence::none;
  std::int64_t time_ms = 0;     // wall time of the snapshot
  std::string formula;          // these two only with LatestOptions::with_raw
  std::optional<RawPoint> raw;  // nullopt also for a sum over a group whose parts do not add up
};

struct LatestAnswer {
  std::uint64_t sequence = 0;  // for wait_newer
  std::int64_t time_ms = 0;    // newest snapshot among those looked at, 0 when there is none
  std::vector<LatestValue> values;
  std::vector<std::string> warnings;  // an instance that is not there now
};

struct LatestOptions {
  bool with_raw = false;
  std::size_t max_values = 100'000;  // beyond it: ErrorCode::too_large
};

/// One writer, any number of readers, each on its own thread. Memory: two snapshots for each object, at most
/// kMaxObjects.
class LiveTail {
 public:
  static constexpr std::size_t kMaxObjects = 256;

  /// Snapshots are kept by order of arrival, whatever the wall clock says.
  void publish(std::span<const Snapshot> snapshots);
  void publish(std::vector<Snapshot>&& snapshots);

  /// Grows by one with every publish of at least one snapshot; 0 before the first.
  [[nodiscard]] std::uint64_t sequence() const;
  /// Waits until sequence() > `sequence`, at most `timeout`; nullopt on timeout and on a stop request.
  [[nodiscard]] std::optional<std::uint64_t> wait_newer(std::uint64_t sequence,
                                                        std::chrono::milliseconds timeout,
                                                        const std::stop_token& stop = {}) const;

  /// Newest values, in the order of the paths, then of instances and counters. In a grouped object an exact
  /// instance that does not exist but is the group of others gives their sum: process(nginx)/cpu. An object
  /// or counter that does not exist is not_found with near names; an instance that is not there gives a value
  /// of Absence::not_readable and a warning (exact) or nothing (wildcard). A path without parentheses on an
  /// object with instances is invalid_argument.
  [[nodiscard]] Result<LatestAnswer> latest(std::span<const CounterPath> paths,
                                            const LatestOptions& options = {}) const;

  /// By name.
  [[nodiscard]] std::vector<ObjectHandle> objects() const;
  /// Instance names of the newest snapshot, in its order; empty for an unknown object.
  [[nodiscard]] std::vector<std::string> instances(std::string_view object) const;
  /// The newest snapshot of an object, null for an unknown one.
  [[nodiscard]] std::shared_ptr<const Snapshot> newest(std::string_view object) const;

  /// Everybody in the newest snapshot of the `process` object; an empty table before there is one.
  [[nodiscard]] ProcessTable processes() const;

 private:
  /// Shared with readers, which go on using a pair after newer ones replaced it.
  struct Pair {
    std::shared_ptr<const Snapshot> older, newer;
  };
  [[nodiscard]] std::optional<Pair> find(std::string_view object) const;
  [[nodiscard]] std::vector<Pair> all() const;

  mutable std::mutex mutex_;
  mutable std::condition_variable_any published_;
  std::vector<Pair> objects_;   // by object name; guarded by mutex_
  std::uint64_t sequence_ = 0;  // guarded by mutex_
};

}  // namespace countertop::query
