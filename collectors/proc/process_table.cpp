#include "collectors/proc/process_table.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace countertop::proc {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

}  // namespace

ProcessTable::ProcessTable(ProcessSource& source, std::uint32_t refresh_scans)
    : source_(source), units_(source.units()), refresh_scans_(std::max<std::uint32_t>(1, refresh_scans)) {}

ProcessTable::~ProcessTable() {
  for (Known& process : known_) source_.release(process.kept);
}

ScanCounts ProcessTable::scan(std::span<const std::int32_t> pids, const ScanMoment& moment,
                              Snapshot& snapshot) {
  ++scan_number_;
  counts_ = {};
  snapshot.instances.reserve(snapshot.instances.size() + pids.size());
  snapshot.values.reserve(snapshot.values.size() + pids.size() * kProcessFieldCount);

  // Both lists ascend: one walk settles who stays, who is gone and who is new.
  std::size_t kept = 0;  // known_[0, kept) stay
  std::size_t next = 0;  // known_[next, ...) have not been looked at yet
  const auto settle_next = [&](bool listed) {
    Known& process = known_[next++];
    const bool stays = show_or_forget(process, listed, moment, snapshot);
    if (stays && &known_[kept] != &process) known_[kept] = std::move(process);
    if (stays) ++kept;
    return stays;
  };
  for (const std::int32_t pid : pids) {
    while (next < known_.size() && known_[next].pid < pid) settle_next(false);
    // A known process that has ended since leaves its number to somebody else, who is new.
    if (next < known_.size() && known_[next].pid == pid && settle_next(true)) continue;
    Known process;
    process.pid = pid;
    if (show_or_forget(process, true, moment, snapshot)) born_.push_back(std::move(process));
  }
  while (next < known_.size()) settle_next(false);

  known_.erase(known_.begin() + static_cast<std::ptrdiff_t>(kept), known_.end());
  if (!born_.empty()) {
    std::ranges::move(born_, std::back_inserter(known_));
    born_.clear();
    std::ranges::sort(known_, {}, &Known::pid);
  }
  return counts_;
}

/// Appends the process's row, unless its files gave none this time. False for one that is gone.
bool ProcessTable::show_or_forget(Known& process, bool listed, const ScanMoment& moment, Snapshot& snapshot) {
  const Presence presence = listed ? refresh(process, moment) : Presence::gone;
  if (presence == Presence::gone) {
    source_.release(process.kept);
    return false;
  }
  if (presence == Presence::shown) {
    process.values[kCpus] = moment.cpus;
    snapshot.instances.push_back({process.name, std::exchange(process.counts_from_zero, false)});
    snapshot.values.insert(snapshot.values.end(), process.values.begin(), process.values.end());
    if (process.without_io) ++counts_.without_io;
  }
  return true;
}

/// Rows that nothing asks for are still read now and then, a share of the processes in each scan.
bool ProcessTable::is_due(const Known& process) const {
  return (scan_number_ + static_cast<std::uint32_t>(process.pid)) % refresh_scans_ == 0;
}

ProcessTable::Presence ProcessTable::refresh(Known& process, const ScanMoment& moment) {
  const bool due = is_due(process);
  bool slept = false;
  if (process.identified && process.values[kThreads] == 1 && process.state != 'R' &&
      !process.schedule_useless) {
    slept = certainly_slept(process);
    // A sleeper's memory may still be taken away from it; a kernel thread has none.
    if (slept && (!due || process.kernel_thread)) return Presence::shown;
  }
  bool worked = false;
  const bool was_identified = process.identified;
  const Presence presence = read_stat(process, moment, worked);
  if (presence != Presence::shown) return presence;

  process.quiet_scans = worked ? 0 : process.quiet_scans + 1;
  const bool exact_schedule = process.schedule.has_value() && process.values[kThreads] == 1;
  const bool may_have_worked = exact_schedule ? !slept : due || process.quiet_scans < refresh_scans_;
  // Rights rarely change: a refusal is tried again only when the process is due.
  if (!was_identified || (process.without_io ? due : may_have_worked)) read_io(process);
  return Presence::shown;
}

/// True when the only thread was not on a CPU since the last scan: then no counter of the process can have
/// moved. The schedule is read before anything else, so that work done while reading is seen by the next
/// scan.
bool ProcessTable::certainly_slept(Known& process) {
  const FileRead read = source_.read(process.pid, ProcessFile::schedule, process.kept);
  std::optional<ProcessSchedule> schedule;
  if (read.state == ReadState::ok) schedule = parse_process_schedule(read.bytes);
  if (!schedule || schedule->runs == 0) {
    process.schedule_useless = true;
    process.schedule.reset();
    return false;
  }
  const bool same = process.schedule == schedule;
  process.schedule = schedule;
  return same;
}

ProcessTable::Presence ProcessTable::read_stat(Known& process, const ScanMoment& moment, bool& worked) {
  const FileRead read = source_.read(process.pid, ProcessFile::stat, process.kept);
  switch (read.state) {
    case ReadState::ok:
      break;
    case ReadState::gone:
      return Presence::gone;
    case ReadState::refused:
      ++counts_.hidden;
      return Presence::gone;
    case ReadState::failed:
      ++counts_.failed;
      return Presence::skipped;
  }
  const auto stat = parse_process_stat(read.bytes);
  if (!stat) {
    ++counts_.malformed;
    return Presence::skipped;
  }
  apply(process, *stat, moment, worked);
  return Presence::shown;
}

void ProcessTable::apply(Known& process, const ProcessStat& stat, const ScanMoment& moment, bool& worked) {
  auto& values = process.values;
  if (!process.identified || process.start_ticks != stat.start_ticks) {
    identify(process, stat, moment);
    worked = true;
  } else {
    if (process.comm != stat.comm) {
      process.comm = stat.comm;
      process.name = process_instance(process_group(stat), process.pid, process.start_unix_s);
    }
    worked = values[kUserTicks] != stat.user_ticks || values[kSystemTicks] != stat.system_ticks ||
             values[kMinorFaults] != stat.minor_faults || values[kMajorFaults] != stat.major_faults;
  }
  process.state = stat.state;
  values[kUserTicks] = stat.user_ticks;
  values[kSystemTicks] = stat.system_ticks;
  values[kMinorFaults] = stat.minor_faults;
  values[kMajorFaults] = stat.major_faults;
  values[kThreads] = stat.threads;
  values[kVirtualPages] = stat.virtual_bytes / units_.page_bytes;
  values[kResidentPages] = stat.resident_pages;
}

/// A process not met before under this number: it gets its name and start, once and for all its life.
void ProcessTable::identify(Known& process, const ProcessStat& stat, const ScanMoment& moment) {
  const std::int64_t tick_ns = kNsPerSecond / units_.ticks_per_second;
  const std::int64_t start_s = stat.start_ticks / units_.ticks_per_second;
  const std::int64_t start_ns = start_s * kNsPerSecond + stat.start_ticks % units_.ticks_per_second * tick_ns;
  process.identified = true;
  process.kernel_thread = stat.kernel_thread;
  process.without_io = process.schedule_useless = false;
  process.schedule.reset();
  process.quiet_scans = 0;
  process.start_ticks = stat.start_ticks;
  process.start_unix_s = moment.boot_unix_s + start_s;
  process.comm = stat.comm;
  process.name = process_instance(process_group(stat), process.pid, process.start_unix_s);
  // The start is cut down to a whole tick: one that reads just before the previous scan may lie after it.
  process.counts_from_zero =
      moment.previous_boottime_ns.has_value() && start_ns + tick_ns > *moment.previous_boottime_ns;
  process.values[kStartTime] =
      moment.perf_time - (moment.boottime_ns - start_ns) / (kNsPerSecond / kPerfFrequency);
  process.values[kReadBytes] = process.values[kWriteBytes] = kNoValue;
}

void ProcessTable::read_io(Known& process) {
  const FileRead read = source_.read(process.pid, ProcessFile::io, process.kept);
  std::optional<ProcessIo> io;
  if (read.state == ReadState::ok) io = parse_process_io(read.bytes);
  process.without_io = read.state == ReadState::refused;
  if (read.state == ReadState::gone) return;  // its last row stands
  process.values[kReadBytes] = io ? io->read_bytes : kNoValue;
  process.values[kWriteBytes] = io ? io->write_bytes : kNoValue;
}

}  // namespace countertop::proc
