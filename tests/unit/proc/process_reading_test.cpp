// What is read of a process in each scan, and what is left for a later one.
#include <catch2/catch_test_macros.hpp>

#include "tests/unit/proc/process_watch.hpp"

using namespace countertop;
using namespace countertop::proc;
using countertop::test::ProcessWatch;

namespace {

constexpr std::int32_t kPid = 20;  // due in scans 10, 20, ...

}  // namespace

TEST_CASE("Of a process that certainly slept only its schedule is read") {
  ProcessWatch watch;
  watch.source.processes[kPid];
  watch.scan();
  watch.scan();  // the schedule is read for the first time
  const int rows = watch.reads(kPid, ProcessFile::stat), disks = watch.reads(kPid, ProcessFile::io);
  for (int scan = 3; scan < 10; ++scan) CHECK(watch.scan().instances.size() == 1);
  CHECK(watch.reads(kPid, ProcessFile::stat) == rows);
  CHECK(watch.reads(kPid, ProcessFile::io) == disks);
  CHECK(watch.reads(kPid, ProcessFile::schedule) == 8);
}

TEST_CASE("Work, faults and disk bytes of a process of one thread show in the scan after it ran") {
  ProcessWatch watch;
  auto& process = watch.source.processes[kPid];
  for (int scan = 1; scan <= 4; ++scan) watch.scan();
  process.work(0);  // too short for a tick
  process.stat.minor_faults = 3;
  process.write_bytes = 8192;
  const Snapshot snapshot = watch.scan();
  CHECK(snapshot.row(0)[kMinorFaults] == 3);
  CHECK(snapshot.row(0)[kWriteBytes] == 8192);
}

TEST_CASE("Memory that is taken from a sleeper shows within ten scans", "[T-L15]") {
  ProcessWatch watch;
  auto& process = watch.source.processes[kPid];
  for (int scan = 1; scan <= 3; ++scan) watch.scan();
  process.stat.resident_pages = 55;
  for (int scan = 4; scan < 10; ++scan) CHECK(watch.scan().row(0)[kResidentPages] == 100);
  CHECK(watch.scan().row(0)[kResidentPages] == 55);
}

TEST_CASE("A sleeping kernel thread has nothing that is worth reading again") {
  ProcessWatch watch;
  watch.source.processes[kPid].stat.flags = 2129984;
  for (int scan = 1; scan <= 25; ++scan) watch.scan();
  CHECK(watch.reads(kPid, ProcessFile::stat) == 2);
}

TEST_CASE("A process that was running is read whatever its schedule says") {
  ProcessWatch watch;
  auto& process = watch.source.processes[kPid];
  process.stat.state = 'R';
  for (int scan = 1; scan <= 3; ++scan) watch.scan();
  process.stat.user_ticks = 100;  // never left the CPU: the kernel has not closed its account
  CHECK(watch.scan().row(0)[kUserTicks] == 100);
}

TEST_CASE("A process of several threads is read in each scan, as its schedule tells of one thread only") {
  ProcessWatch watch;
  auto& process = watch.source.processes[kPid];
  process.stat.threads = 3;
  for (int scan = 1; scan <= 3; ++scan) watch.scan();
  CHECK(watch.reads(kPid, ProcessFile::schedule) == 0);
  process.stat.user_ticks = 100;
  process.read_bytes = 4096;
  const Snapshot snapshot = watch.scan();
  CHECK(snapshot.row(0)[kUserTicks] == 100);
  CHECK(snapshot.row(0)[kReadBytes] == 4096);
}

TEST_CASE("Disk counters of idle processes of several threads are read every tenth scan") {
  ProcessWatch watch;
  watch.source.processes[kPid].stat.threads = 3;
  for (int scan = 1; scan <= 20; ++scan) watch.scan();
  const int before = watch.reads(kPid, ProcessFile::io);
  watch.source.processes[kPid].read_bytes = 4096;
  for (int scan = 21; scan <= 29; ++scan) CHECK(watch.scan().row(0)[kReadBytes] == 0);
  CHECK(watch.scan().row(0)[kReadBytes] == 4096);
  CHECK(watch.reads(kPid, ProcessFile::io) == before + 1);
}

TEST_CASE("A process that starts threads is no longer taken for asleep") {
  ProcessWatch watch;
  auto& process = watch.source.processes[kPid];
  for (int scan = 1; scan <= 3; ++scan) watch.scan();
  process.work(1);
  process.stat.threads = 2;
  watch.scan();
  process.stat.user_ticks += 50;  // the second thread alone: the first one's schedule stands still
  CHECK(watch.scan().row(0)[kUserTicks] == 51);
}

TEST_CASE("Without schedules, or with schedules that do not count, every row is read in each scan") {
  ProcessWatch watch;
  watch.source.processes[kPid].has_schedule = false;
  auto& other = watch.source.processes[kPid + 1];
  other.run_ns = other.runs = 0;
  for (int scan = 1; scan <= 8; ++scan) watch.scan();
  CHECK(watch.reads(kPid, ProcessFile::stat) == 8);
  CHECK(watch.reads(kPid + 1, ProcessFile::stat) == 8);
  CHECK(watch.reads(kPid, ProcessFile::schedule) == 1);  // asked once, not again
}
