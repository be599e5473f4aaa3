// What a collector is: something that reads one part of the machine when asked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/clock.hpp"
#include "collectors/core/result.hpp"
#include "collectors/core/snapshot.hpp"

namespace countertop {

/// One reading. What could be read is in `snapshots` even where other parts failed.
struct Collected {
  std::vector<Snapshot> snapshots;  // at most one for each object
  std::vector<Error> problems;      // parts that could not be read; shown with the collector's state
  std::vector<Mark> marks;          // what the collector noticed: a CPU came or went
};

/// Called from its own thread only, never concurrently. Must not throw; whatever it throws is caught, counted
/// and shown as its failure. An Error means that nothing could be read; ErrorCode::unavailable that this
/// machine has no such thing (not a failure: the collector is asked again every minute).
class Collector {
 public:
  Collector() = default;
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;
  virtual ~Collector() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// The objects it can give; constant over its life.
  [[nodiscard]] virtual std::vector<ObjectHandle> objects() const = 0;
  [[nodiscard]] virtual Result<Collected> collect(const Clock& clock) = 0;
};

enum class CollectorState : std::uint8_t { starting, running, failing, unavailable, hung, off };
[[nodiscard]] std::string_view to_string(CollectorState state);

/// For /status and the `countertop` object.
struct CollectorStatus {
  std::string name;
  CollectorState state = CollectorState::starting;
  std::string reason;  // why it is not running, or what part is missing; empty when all is well
  std::string fix;     // the command that mends it, where one exists
  std::int64_t interval_ms = 1000;
  std::int64_t last_duration_us = 0;
  std::int64_t longest_duration_us = 0;
  std::uint64_t readings = 0;
  std::uint64_t failures = 0;
  std::uint64_t late_ticks = 0;  // ticks that began more than half an interval late
  std::int64_t last_lateness_us = 0;
  std::int64_t cpu_time_us = 0;  // CPU time of the collector's thread since start
  std::int64_t last_success_wall_ms = 0;
};

}  // namespace countertop
