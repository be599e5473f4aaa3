#include "server/app/self_collector.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "collectors/proc/object_table.hpp"
#include "server/app/machine.hpp"

namespace countertop::app {
namespace {

using proc::CounterRow;
using proc::FieldRow;

constexpr auto kGauge = CounterType::large_raw_count;
constexpr auto kRate = CounterType::bulk_count;

// In the order of the row that program_row writes.
constexpr FieldRow kProgramFields[] = {
    {"cpu us"},
    {"resident bytes", Backward::gauge},
    {"written bytes"},
    {"threads", Backward::gauge},
    {"open files", Backward::gauge},
    {"lateness us", Backward::gauge},
    {"queue length", Backward::gauge},
    {"dropped readings"},
    {"store bytes", Backward::gauge},
    {"wal bytes", Backward::gauge},
    {"requests"},
    {"streams", Backward::gauge},
};

constexpr CounterRow kProgramCounters[] = {
    {"cpu", "% of one CPU", kRate, "cpu us", "", 1e-4,
     "CPU time of this program, all its threads, user and system. Source: getrusage."},
    {"resident bytes", "bytes", kGauge, "resident bytes", "", 1,
     "Memory of this program that is in RAM now. Source: VmRSS of /proc/self/status."},
    {"written bytes/s", "bytes/s", kRate, "written bytes", "", 1,
     "What this program caused to be written to disk. Source: write_bytes of /proc/self/io; the file "
     "system's own journal comes on top."},
    {"written bytes/day", "bytes/day", kRate, "written bytes", "", 86400,
     "The same, as if it went on like this for a day. Source: write_bytes of /proc/self/io."},
    {"threads", "", kGauge, "threads", "", 1, "Threads of this program. Source: /proc/self/status."},
    {"open files", "", kGauge, "open files", "", 1,
     "Descriptors this program holds; most are files of /proc that are kept open. Source: /proc/self/fd."},
    {"lateness", "s", kGauge, "lateness us", "", 1e-6,
     "How long after its second the latest of the collectors began to read. More than half the interval "
     "counts as a late tick. Source: the monotonic clock when each collector starts."},
    {"queue length", "", kGauge, "queue length", "", 1,
     "Readings that wait for the writer. It grows while the disk does not take them. Source: the program's "
     "own queue."},
    {"dropped samples/s", "1/s", kRate, "dropped readings", "", 1,
     "Readings that were lost because the queue was full, the oldest first. Always 0 on a machine whose disk "
     "works. "
     "Source: the program's own queue."},
    {"store bytes", "bytes", kGauge, "store bytes", "", 1,
     "The whole data directory, its write-ahead log included: what the size limit holds down. Source: sizes "
     "of its files."},
    {"write-ahead log bytes", "bytes", kGauge, "wal bytes", "", 1,
     "SQLite's write-ahead log alone. It grows while somebody reads for long. Source: size of the file."},
    {"requests/s", "1/s", kRate, "requests", "", 1,
     "Requests that the page and the API answered, refused ones included. Source: the program's own count."},
    {"streams", "", kGauge, "streams", "", 1,
     "Live streams that are open: mostly one for each page. Source: the program's own count."},
};

// In the order of the row that collector_row writes.
constexpr FieldRow kCollectorFields[] = {
    {"duration us", Backward::gauge}, {"cpu us"},        {"readings"}, {"failures"},
    {"lateness us", Backward::gauge}, {"late readings"},
};

constexpr CounterRow kCollectorCounters[] = {
    {"duration", "s", kGauge, "duration us", "", 1e-6,
     "How long its newest reading took, waiting included. Source: the monotonic clock around it."},
    {"cpu", "% of one CPU", kRate, "cpu us", "", 1e-4,
     "CPU time of its thread. Source: CLOCK_THREAD_CPUTIME_ID."},
    {"readings/s", "1/s", kRate, "readings", "", 1,
     "Readings it made, failed ones included. Source: the program's own count."},
    {"failures/s", "1/s", kRate, "failures", "", 1,
     "Readings that failed as a whole; one that lacks a part is none. Source: the program's own count."},
    {"failures", "", kGauge, "failures", "", 1,
     "Readings that failed as a whole since the program started. Source: the program's own count."},
    {"lateness", "s", kGauge, "lateness us", "", 1e-6,
     "How long after its time its newest reading began. Source: the monotonic clock."},
    {"late readings", "", kGauge, "late readings", "", 1,
     "Readings that began more than half an interval late since the program started, and those that were "
     "left out "
     "because one took too long. Source: the program's own count."},
};

std::array<std::int64_t, 12> program_row(const SelfReadings& readings, const OwnUsage& usage) {
  std::int64_t lateness_us = 0;
  for (const auto& collector : readings.collectors)
    lateness_us = std::max(lateness_us, collector.last_lateness_us);
  const auto or_nothing = [](std::int64_t value) { return value < 0 ? kNoValue : value; };
  return {usage.cpu_us,
          usage.resident_bytes,
          or_nothing(usage.written_bytes),
          usage.threads,
          or_nothing(usage.open_files),
          lateness_us,
          readings.queue_length,
          readings.dropped_readings,
          readings.store_bytes,
          readings.wal_bytes,
          readings.requests,
          readings.streams};
}

std::array<std::int64_t, 6> collector_row(const CollectorStatus& status) {
  return {status.last_duration_us,
          status.cpu_time_us,
          static_cast<std::int64_t>(status.readings),
          static_cast<std::int64_t>(status.failures),
          status.last_lateness_us,
          static_cast<std::int64_t>(status.late_ticks)};
}

}  // namespace

SelfCollector::SelfCollector(std::function<SelfReadings()> read)
    : read_(std::move(read)),
      program_(proc::make_object("countertop", "This program itself: what it costs and how well it keeps up.",
                                 proc::Instances::one, kProgramFields, kProgramCounters)),
      collector_(proc::make_object("countertop collector",
                                   "Each collector of this program: time, failures, lateness.",
                                   proc::Instances::many, kCollectorFields, kCollectorCounters)) {}

Result<Collected> SelfCollector::collect(const Clock& clock) {
  const SelfReadings readings = read_();
  const TimeBase time = read_time_base(clock);

  Snapshot program{program_, time, {InstanceName{}}, {}};
  const auto row = program_row(readings, read_own_usage());
  program.values.assign(row.begin(), row.end());

  Snapshot collectors{collector_, time, {}, {}};
  for (const auto& status : readings.collectors) {
    collectors.instances.push_back({status.name, false});
    const auto values = collector_row(status);
    collectors.values.insert(collectors.values.end(), values.begin(), values.end());
  }

  Collected collected;
  collected.snapshots.push_back(std::move(program));
  collected.snapshots.push_back(std::move(collectors));
  return collected;
}

}  // namespace countertop::app
