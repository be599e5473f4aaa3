// What one object's collector read at one moment.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/object.hpp"

namespace countertop {

/// The clocks of one reading. Intervals are differences of the performance clock; the wall clock is only a
/// label.
struct TimeBase {
  std::int64_t wall_ms = 0;              // Unix milliseconds at the time of reading
  std::int64_t perf_time = 0;            // monotonic; on Linux CLOCK_MONOTONIC in units of 1/perf_frequency s
  std::int64_t perf_frequency = 10'000;  // units of perf_time per second
  std::int64_t time_100ns = 0;           // Windows only: PerfTime100nSec
  std::int64_t object_time = 0;          // Windows only: the object's own clock
  std::int64_t object_frequency = 0;  // 0: the object has no own clock, the performance clock stands for it

  friend bool operator==(const TimeBase&, const TimeBase&) = default;
};

struct InstanceName {
  std::string name;  // "" for an object without instances
  bool counts_from_zero =
      false;  // born since the object's previous snapshot: its first interval counts from 0

  friend bool operator==(const InstanceName&, const InstanceName&) = default;
};

struct Snapshot {
  ObjectHandle object;
  TimeBase time;
  std::vector<InstanceName> instances;  // names are unique inside one snapshot
  std::vector<std::int64_t> values;     // row-major: instances.size() * object->fields.size()

  [[nodiscard]] std::span<const std::int64_t> row(std::size_t instance) const {
    const std::size_t width = object->fields.size();
    return std::span(values).subspan(instance * width, width);
  }
};

/// Something that happened at a moment and belongs on the time line.
enum class MarkKind : std::uint8_t {
  start,             // recording started
  stop,              // recording ended in order
  crash,             // the previous run did not end in order
  reboot,            // the machine was started anew
  suspend,           // the machine slept
  clock_step,        // the wall clock jumped against the monotonic one
  collector_failed,  // a collector stopped giving data
  collector_back,    // and gives data again
  late,              // the sampler did not get to run
  dropped,           // samples were lost in our own queue
  store_damaged,     // the data file was damaged and set aside
  disk_full,         // nothing can be stored
  disk_back,         // storing goes on
  cpu_online,
  cpu_offline,
  note,  // written by a person
};

struct Mark {
  std::int64_t wall_ms = 0;
  MarkKind kind = MarkKind::note;
  std::string text;           // one sentence for people
  std::int64_t until_ms = 0;  // end of a gap that the mark explains, 0 = a moment
};

[[nodiscard]] std::string_view to_string(MarkKind kind);
[[nodiscard]] std::optional<MarkKind> mark_kind_from(std::string_view text);

}  // namespace countertop
