// The `process` object: its raw fields in their order, and the counters made of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectors/core/object.hpp"

namespace countertop::proc {

/// Index of a raw field in a row.
enum ProcessField : std::uint16_t {
  kUserTicks,
  kSystemTicks,
  kMinorFaults,
  kMajorFaults,
  kThreads,
  kVirtualPages,
  kResidentPages,
  kReadBytes,   // kNoValue where the system does not let us read it
  kWriteBytes,  // kNoValue likewise
  kCpus,        // CPUs online, the base of `cpu of machine`
  kStartTime,   // start on the performance clock of the snapshot
  kProcessFieldCount,
};

/// Units of this machine that go into the counters' scales.
struct ProcessUnits {
  std::int64_t ticks_per_second = 100;
  std::int64_t page_bytes = 4096;
};

/// Units of TimeBase::perf_time per second on Linux.
inline constexpr std::int64_t kPerfFrequency = 10'000;

[[nodiscard]] ObjectHandle make_process_object(const ProcessUnits& units);

}  // namespace countertop::proc
