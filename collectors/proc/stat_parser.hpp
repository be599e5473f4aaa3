// /proc/stat (proc_stat(5); fs/proc/stat.c, show_stat). Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "collectors/core/object.hpp"

namespace countertop::proc {

/// Columns of a cpu line, in clock ticks since the CPU's start.
enum CpuField : std::uint16_t {
  kUser,  // guest included
  kNice,  // guest_nice included
  kSystem,
  kIdle,
  kIowait,
  kIrq,
  kSoftirq,
  kSteal,
  kGuest,
  kGuestNice,
  kCpuFieldCount,
};

inline constexpr std::int32_t kAllCpus = -1;

struct CpuRow {
  std::int32_t number = kAllCpus;  // the CPU's own number: CPUs that are offline leave holes
  std::array<std::int64_t, kCpuFieldCount> ticks{};  // columns that an older kernel lacks are 0
};

struct StatFile {
  std::vector<CpuRow> cpus;  // all of them first, then ascending by number, each at most once
  std::int64_t interrupts = kNoValue;
  std::int64_t soft_interrupts = kNoValue;
  std::int64_t context_switches = kNoValue;
  std::int64_t forks = kNoValue;
  std::int64_t running = kNoValue;
  std::int64_t blocked = kNoValue;
  std::size_t malformed = 0;  // cpu lines that were left out
};

/// `out` is overwritten and keeps its memory.
void parse_stat(std::string_view text, StatFile& out);

}  // namespace countertop::proc
