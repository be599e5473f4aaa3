// /proc/diskstats (Documentation/admin-guide/iostats.rst; block/genhd.c, diskstats_show). Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace countertop::proc {

/// Columns behind the name. Times are milliseconds in 32 bits, sectors are always 512 bytes.
enum DiskField : std::uint16_t {
  kReads,
  kReadsMerged,
  kSectorsRead,
  kReadTime,
  kWrites,
  kWritesMerged,
  kSectorsWritten,
  kWriteTime,
  kInFlight,
  kBusyTime,
  kWeightedTime,
  kDiscards,  // this and the next three since Linux 4.18
  kDiscardsMerged,
  kSectorsDiscarded,
  kDiscardTime,
  kFlushes,  // this and the next since Linux 5.5
  kFlushTime,
  kDiskFieldCount,
};

struct DiskRow {
  std::string_view name;                               // points into the parsed text
  std::array<std::int64_t, kDiskFieldCount> values{};  // kNoValue for columns that the kernel does not have
};

/// Rows in the file's order; `out` is emptied first and keeps its memory. Gives the number of rows that were
/// left out.
std::size_t parse_disks(std::string_view text, std::vector<DiskRow>& out);

}  // namespace countertop::proc
