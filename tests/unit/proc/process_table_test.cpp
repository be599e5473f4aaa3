#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "tests/unit/proc/process_watch.hpp"

using namespace countertop;
using namespace countertop::proc;
using countertop::test::ProcessWatch;

TEST_CASE("Every process is an instance named after it, its number and its start") {
  ProcessWatch watch;
  watch.source.processes[1].stat = {.comm = "systemd", .start_ticks = 12};
  watch.source.processes[812].stat = {.comm = "a) S 1 (b", .start_ticks = 45'678};
  const Snapshot snapshot = watch.scan();
  CHECK(watch.names(snapshot) ==
        std::vector<std::string>{"systemd:1@1796000000", "a) S 1 (b:812@1796000456"});
  CHECK(snapshot.values.size() == 2 * kProcessFieldCount);
}

TEST_CASE("A reused process number is another instance, never a difference", "[T-L08]") {
  ProcessWatch watch;
  watch.source.processes[7].stat = {.comm = "old", .user_ticks = 900'000, .start_ticks = 500};
  watch.scan();
  watch.source.processes[7].stat = {.comm = "old", .user_ticks = 3, .start_ticks = watch.ticks_now() + 50};
  const Snapshot snapshot = watch.scan();
  REQUIRE(snapshot.instances.size() == 1);
  CHECK(snapshot.instances[0].name == "old:7@1796001000");
  CHECK(snapshot.instances[0].counts_from_zero);
  CHECK(snapshot.row(0)[kUserTicks] == 3);
  CHECK(watch.source.open_files == 2);  // row and disk counters of the new one; nothing of the old one
}

TEST_CASE("A process born inside the interval counts from zero, once", "[T-L09]") {
  ProcessWatch watch;
  watch.source.processes[1].stat.start_ticks = 10;
  const Snapshot first = watch.scan();
  CHECK_FALSE(first.instances[0].counts_from_zero);  // there is no interval yet
  watch.source.processes[5].stat.start_ticks = watch.ticks_now() + 60;
  watch.source.processes[5].stat.user_ticks = 30;
  const Snapshot second = watch.scan();
  REQUIRE(second.instances.size() == 2);
  CHECK_FALSE(second.instances[0].counts_from_zero);
  CHECK(second.instances[1].counts_from_zero);
  CHECK_FALSE(watch.scan().instances[1].counts_from_zero);
}

TEST_CASE("A start that the kernel rounds down to before the last scan lies inside the interval", "[T-L09]") {
  ProcessWatch watch;
  watch.scan();
  watch.clock.advance_ms(5);                                       // the last scan was 5 ms ago
  watch.source.processes[5].stat.start_ticks = watch.ticks_now();  // floor: 5 ms before its true start
  CHECK(watch.scan().instances.at(0).counts_from_zero);
}

TEST_CASE("An old process that comes into view does not count from zero", "[T-L09][hidepid]") {
  ProcessWatch watch;
  watch.source.processes[5].stat.start_ticks = 700;
  watch.source.processes[5].refused = {ProcessFile::stat};
  CHECK(watch.scan().instances.empty());
  CHECK(watch.counts.hidden == 1);
  watch.source.processes[5].refused.clear();
  const Snapshot snapshot = watch.scan();
  REQUIRE(snapshot.instances.size() == 1);
  CHECK_FALSE(snapshot.instances[0].counts_from_zero);
  CHECK(watch.counts.hidden == 0);
}

TEST_CASE("A process that execs before it is first seen has all its history under the new name", "[T-L10]") {
  ProcessWatch watch;
  watch.scan();
  // Forked as bash and already nginx when the scan comes.
  watch.source.processes[9].stat = {.comm = "nginx", .user_ticks = 20, .start_ticks = watch.ticks_now() + 90};
  const Snapshot snapshot = watch.scan();
  REQUIRE(snapshot.instances.size() == 1);
  CHECK(snapshot.instances[0].name == "nginx:9@1796001000");
  CHECK(snapshot.instances[0].counts_from_zero);
}

TEST_CASE("A process that takes another name goes on under it, with the same start and not from zero",
          "[T-L10]") {
  ProcessWatch watch;
  watch.scan();
  watch.source.processes[9].stat = {.comm = "bash", .start_ticks = watch.ticks_now() + 99};
  CHECK(watch.names(watch.scan()) == std::vector<std::string>{"bash:9@1796001000"});
  watch.source.processes[9].stat.comm = "nginx";
  watch.source.processes[9].work(5);
  const Snapshot renamed = watch.scan();
  CHECK(watch.names(renamed) == std::vector<std::string>{"nginx:9@1796001000"});
  CHECK_FALSE(renamed.instances[0].counts_from_zero);
  CHECK(watch.names(watch.scan()) == std::vector<std::string>{"nginx:9@1796001000"});
}

TEST_CASE("A process that ends between listing and reading is no error") {
  ProcessWatch watch;
  watch.source.processes[1].stat.start_ticks = 10;
  watch.source.processes[2].stat.start_ticks = 11;
  CHECK(watch.scan().instances.size() == 2);
  watch.source.processes[2].gone_on_read = true;
  watch.source.processes[3].gone_on_read = true;  // never read at all
  const Snapshot snapshot = watch.scan();
  REQUIRE(snapshot.instances.size() == 1);
  CHECK(watch.counts.hidden + watch.counts.failed + watch.counts.malformed == 0);
  CHECK(watch.table.size() == 1);
}

TEST_CASE("A row that is not understood is counted, and the process is there again with the next good one",
          "[T-L01]") {
  ProcessWatch watch;
  watch.source.processes[4].stat.start_ticks = 10;
  watch.source.processes[4].stat.threads = 2;
  watch.scan();
  watch.source.processes[4].whole_row = "4 (worker) S 1 1 1 0 -1 41945";
  CHECK(watch.scan().instances.empty());
  CHECK(watch.counts.malformed == 1);
  watch.source.processes[4].whole_row.clear();
  const Snapshot snapshot = watch.scan();
  REQUIRE(snapshot.instances.size() == 1);
  CHECK_FALSE(snapshot.instances[0].counts_from_zero);
}

TEST_CASE("Disk counters that may not be read have no value, and the rest of the process is shown") {
  ProcessWatch watch;
  auto& process = watch.source.processes[4];
  process.stat.user_ticks = 7;
  process.refused = {ProcessFile::io};
  const Snapshot snapshot = watch.scan();
  REQUIRE(snapshot.instances.size() == 1);
  CHECK(snapshot.row(0)[kReadBytes] == kNoValue);
  CHECK(snapshot.row(0)[kWriteBytes] == kNoValue);
  CHECK(snapshot.row(0)[kUserTicks] == 7);
  CHECK(watch.counts.without_io == 1);
  // The right may come later; it is asked for now and then.
  process.refused.clear();
  process.read_bytes = 4096;
  std::int64_t value = kNoValue;
  for (int scan = 0; scan < 10 && value == kNoValue; ++scan) {
    process.work(1);
    value = watch.scan().row(0)[kReadBytes];
  }
  CHECK(value == 4096);
  CHECK(watch.counts.without_io == 0);
}

TEST_CASE("Descriptors of processes that ended are released, and all of them at the end") {
  test::FakeProcessSource source;
  source.processes[1].stat.start_ticks = 10;
  source.processes[2].stat.start_ticks = 20;
  {
    ProcessTable table(source, 10);
    Snapshot snapshot;
    const std::vector<std::int32_t> both{1, 2}, one{1};
    table.scan(both, {}, snapshot);
    table.scan(both, {}, snapshot);
    CHECK(source.open_files == 6);
    table.scan(one, {}, snapshot);
    CHECK(source.open_files == 3);
  }
  CHECK(source.open_files == 0);
}
