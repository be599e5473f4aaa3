#include "collectors/proc/process_collector.hpp"

#include <string>
#include <utility>

namespace countertop::proc {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

/// The start of the machine as the kernel computes it moves with every correction of the wall clock. Below
/// this it is such a correction and the first answer stays, so that names stay; from here on the clock was
/// set.
constexpr std::int64_t kClockStepMs = 2'000;

}  // namespace

ProcessCollector::ProcessCollector(std::unique_ptr<ProcessSource> source, const ProcessOptions& options)
    : source_(std::move(source)),
      refresh_scans_(options.refresh_scans),
      object_(make_process_object(source_->units())),
      table_(*source_, options.refresh_scans) {}

Result<Collected> ProcessCollector::collect(const Clock& clock) {
  Collected collected;
  Snapshot snapshot;
  snapshot.object = object_;
  snapshot.time = read_time_base(clock);
  const ScanMoment moment = moment_of(clock, snapshot.time);

  const auto pids = source_->list();
  if (!pids) return tl::unexpected<Error>(pids.error());
  const ScanCounts counts = table_.scan(*pids, moment, snapshot);
  previous_boottime_ns_ = moment.boottime_ns;

  collected.problems = blind_spots_;
  describe_losses(counts, snapshot.instances.size(), collected.problems);
  collected.snapshots.push_back(std::move(snapshot));
  return collected;
}

ScanMoment ProcessCollector::moment_of(const Clock& clock, const TimeBase& time) {
  const std::int64_t boottime_ns = clock.boottime_ns();
  follow_boot_time(time.wall_ms - boottime_ns / kNsPerMs);
  if (scans_until_refresh_ == 0) {
    scans_until_refresh_ = refresh_scans_;
    cpus_ = source_->online_cpus();
    blind_spots_ = source_->blind_spots();
  }
  --scans_until_refresh_;
  return {boottime_ns, time.perf_time, previous_boottime_ns_, boot_unix_s_, cpus_};
}

void ProcessCollector::follow_boot_time(std::int64_t wall_minus_boot_ms) {
  if (wall_minus_boot_ms_) {
    const std::int64_t moved = wall_minus_boot_ms - *wall_minus_boot_ms_;
    if (moved > -kClockStepMs && moved < kClockStepMs) return;
  }
  wall_minus_boot_ms_ = wall_minus_boot_ms;
  boot_unix_s_ = source_->boot_unix_s().value_or(wall_minus_boot_ms / 1000);
}

void ProcessCollector::describe_losses(const ScanCounts& counts, std::size_t shown,
                                       std::vector<Error>& problems) const {
  const auto add = [&problems](ErrorCode code, std::size_t count, const char* what, const char* fix) {
    if (count > 0) problems.push_back({code, std::to_string(count) + what, fix, 0});
  };
  add(ErrorCode::permission, counts.hidden, " processes are listed in /proc but may not be read",
      "run as root, or mount /proc without hidepid: sudo mount -o remount,hidepid=0 /proc");
  if (counts.without_io > 0) {
    problems.push_back(
        {ErrorCode::permission,
         "disk reads and writes of " + std::to_string(counts.without_io) + " of " + std::to_string(shown) +
             " processes may not be read",
         "run as root, or: sudo setcap cap_dac_read_search,cap_sys_ptrace+ep \"$(command -v countertop)\"",
         0});
  }
  add(ErrorCode::malformed, counts.malformed, " rows of processes could not be understood", "");
  add(ErrorCode::io, counts.failed, " processes could not be read",
      "raise the limit of open files (ulimit -n)");
}

}  // namespace countertop::proc
