// The processes known from reading to reading: who was born, renamed or reused, and what has to be read
// again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/core/snapshot.hpp"
#include "collectors/proc/process_name.hpp"
#include "collectors/proc/process_parser.hpp"
#include "collectors/proc/process_source.hpp"

namespace countertop::proc {

/// The moment of one scan.
struct ScanMoment {
  std::int64_t boottime_ns = 0;
  std::int64_t perf_time = 0;
  std::optional<std::int64_t> previous_boottime_ns;  // of the previous scan that brought a list of processes
  std::int64_t boot_unix_s = 0;                      // for processes that are new
  std::int64_t cpus = 1;
};

struct ScanCounts {
  std::size_t hidden = 0;      // listed, but not readable
  std::size_t malformed = 0;   // rows that could not be understood
  std::size_t failed = 0;      // other refusals of the system
  std::size_t without_io = 0;  // shown without disk reads and writes, for lack of rights
};

/// Not thread safe. Borrows the source, which must outlive it.
class ProcessTable {
 public:
  ProcessTable(ProcessSource& source, std::uint32_t refresh_scans);
  ProcessTable(const ProcessTable&) = delete;
  ProcessTable& operator=(const ProcessTable&) = delete;
  ~ProcessTable();

  /// Reads every process in `pids` (ascending) and appends instances and rows to `snapshot`.
  ScanCounts scan(std::span<const std::int32_t> pids, const ScanMoment& moment, Snapshot& snapshot);

  [[nodiscard]] std::size_t size() const { return known_.size(); }

 private:
  struct Known {
    std::int32_t pid = 0;
    bool identified = false;  // the fields below hold a process that has been read
    bool counts_from_zero = false;
    bool without_io = false;  // its io is not for us to read
    bool kernel_thread = false;
    bool schedule_useless = false;  // not there, not allowed, or does not count
    char state = '?';
    std::uint32_t quiet_scans = 0;  // scans since it was last seen to work
    std::int64_t start_ticks = 0;
    std::int64_t start_unix_s = 0;
    std::optional<ProcessSchedule> schedule;
    std::string comm;  // as the kernel gave it
    std::string name;  // of the instance
    std::array<std::int64_t, kProcessFieldCount> values{};
    KeptFiles kept;
  };
  enum class Presence : std::uint8_t { shown, skipped, gone };

  bool show_or_forget(Known& process, bool listed, const ScanMoment& moment, Snapshot& snapshot);
  Presence refresh(Known& process, const ScanMoment& moment);
  bool certainly_slept(Known& process);
  Presence read_stat(Known& process, const ScanMoment& moment, bool& worked);
  void apply(Known& process, const ProcessStat& stat, const ScanMoment& moment, bool& worked);
  void identify(Known& process, const ProcessStat& stat, const ScanMoment& moment);
  void read_io(Known& process);
  [[nodiscard]] bool is_due(const Known& process) const;

  ProcessSource& source_;
  const ProcessUnits units_;
  const std::uint32_t refresh_scans_;
  std::uint32_t scan_number_ = 0;
  std::vector<Known> known_;  // ascending by pid
  std::vector<Known> born_;   // found in the present scan
  ScanCounts counts_;
};

}  // namespace countertop::proc
