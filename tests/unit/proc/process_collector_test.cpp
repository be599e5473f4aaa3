#include "collectors/proc/process_collector.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>

#include "collectors/core/cook.hpp"
#include "tests/support/fake_process_source.hpp"
#include "tests/support/manual_clock.hpp"

using namespace countertop;
using namespace countertop::proc;
using Catch::Approx;

namespace {

struct Watch {
  test::ManualClock clock;
  test::FakeProcessSource* source;
  ProcessCollector collector;

  Watch() : Watch(std::make_unique<test::FakeProcessSource>()) {}
  explicit Watch(std::unique_ptr<test::FakeProcessSource> owned)
      : source(owned.get()), collector(std::move(owned), {}) {}

  Collected collect() {
    auto collected = collector.collect(clock);
    REQUIRE(collected);
    REQUIRE(collected->snapshots.size() == 1);
    return std::move(*collected);
  }
};

Cooked cooked(const Snapshot& older, const Snapshot& newer, std::string_view counter) {
  const RawSample older_sample{older.row(0), older.time}, newer_sample{newer.row(0), newer.time};
  const CounterDefinition* const definition = newer.object->find_counter(counter);
  REQUIRE(definition != nullptr);
  return cook(*newer.object, *definition, &older_sample, newer_sample);
}

}  // namespace

TEST_CASE("The definition of process is sound and keeps what lived or worked") {
  const ObjectHandle object = make_process_object({100, 4096});
  CHECK(why_invalid(*object).empty());
  CHECK(object->instanced);
  CHECK(object->grouped);
  REQUIRE(object->notable);
  CHECK(object->notable->min_ticks == 5);
  CHECK(object->notable->min_work == 10);
  CHECK(object->notable->work == std::vector<Term>{{kUserTicks}, {kSystemTicks}});
  for (const CounterDefinition& counter : object->counters) {
    CAPTURE(counter.name);
    CHECK(counter.help.find("Source:") != std::string::npos);
  }
}

TEST_CASE("CPU time is shown in percent of one CPU and of the machine, each labelled", "[T-L13]") {
  Watch watch;
  watch.source->processes[3].stat.start_ticks = 10;
  const Collected older = watch.collect();
  watch.clock.advance_ms(1000);
  watch.source->processes[3].work(60);
  watch.source->processes[3].stat.system_ticks += 90;  // one and a half CPUs
  const Collected newer = watch.collect();
  const Snapshot& before = older.snapshots[0];
  const Snapshot& after = newer.snapshots[0];
  CHECK(cooked(before, after, "cpu").value == Approx(150));
  CHECK(cooked(before, after, "cpu of machine").value == Approx(150.0 / 4));
  CHECK(cooked(before, after, "user").value == Approx(60));
  CHECK(cooked(before, after, "system").value == Approx(90));
  CHECK(after.object->find_counter("cpu")->unit == "% of one CPU");
  CHECK(after.object->find_counter("cpu of machine")->unit == "% of machine");
}

TEST_CASE("Resident bytes are RSS, in bytes, and say so", "[T-L15]") {
  Watch watch;
  watch.source->processes[3].stat.resident_pages = 408;
  watch.source->processes[3].stat.virtual_bytes = 3'133'440;
  const Collected collected = watch.collect();
  const Snapshot& snapshot = collected.snapshots[0];
  CHECK(cooked(snapshot, snapshot, "resident bytes").value == Approx(408 * 4096));
  CHECK(cooked(snapshot, snapshot, "virtual bytes").value == Approx(3'133'440));
  const std::string& help = snapshot.object->find_counter("resident bytes")->help;
  for (const char* word : {"RSS", "PSS", "USS", "statm", "smaps_rollup"})
    CHECK(help.find(word) != std::string::npos);
}

TEST_CASE("What may not be read has no value instead of zero") {
  Watch watch;
  watch.source->processes[3].refused = {ProcessFile::io};
  const Collected older = watch.collect();
  watch.clock.advance_ms(1000);
  const Collected newer = watch.collect();
  CHECK(cooked(older.snapshots[0], newer.snapshots[0], "read bytes/s").absence == Absence::not_readable);
  CHECK(cooked(older.snapshots[0], newer.snapshots[0], "write bytes/s").absence == Absence::not_readable);
  REQUIRE(newer.problems.size() == 1);
  CHECK(newer.problems[0].code == ErrorCode::permission);
  CHECK(newer.problems[0].message == "disk reads and writes of 1 of 1 processes may not be read");
  CHECK(newer.problems[0].fix.find("cap_sys_ptrace") != std::string::npos);
}

TEST_CASE("Age counts from the start of the process") {
  Watch watch;
  watch.source->processes[3].stat.start_ticks = 90'000;  // 900 s after boot; it is 1000 s now
  CHECK(cooked(watch.collect().snapshots[0], watch.collect().snapshots[0], "age").value == Approx(100));
  watch.clock.advance_ms(2500);
  const Collected later = watch.collect();
  CHECK(cooked(later.snapshots[0], later.snapshots[0], "age").value == Approx(102.5));
}

TEST_CASE("The start in a name stays, however the kernel's boot time wanders", "[T-L08]") {
  Watch watch;
  watch.source->processes[3].stat = {.comm = "a", .start_ticks = 200};
  CHECK(watch.collect().snapshots[0].instances[0].name == "a:3@1796000002");
  watch.source->boot_time = 1'796'000'001;  // the clock was slewed over the edge of a second
  watch.clock.advance_ms(1000);
  watch.clock.step_wall_ms(300);
  watch.source->processes[4].stat = {.comm = "b", .start_ticks = 300};
  const Collected collected = watch.collect();
  CHECK(collected.snapshots[0].instances[0].name == "a:3@1796000002");
  CHECK(collected.snapshots[0].instances[1].name == "b:4@1796000003");
}

TEST_CASE("When the wall clock is set, new processes follow it and known ones keep their names", "[T-T04]") {
  Watch watch;
  watch.source->processes[3].stat = {.comm = "a", .start_ticks = 200};
  watch.collect();
  watch.source->boot_time = 1'796'003'600;
  watch.clock.step_wall_ms(3'600'000);
  watch.clock.advance_ms(1000);
  watch.source->processes[4].stat = {.comm = "b", .start_ticks = 300};
  const Collected collected = watch.collect();
  CHECK(collected.snapshots[0].instances[0].name == "a:3@1796000002");
  CHECK(collected.snapshots[0].instances[1].name == "b:4@1796003603");
}

TEST_CASE("A machine that slept gives births inside the interval and no more age than awake", "[T-T04]") {
  Watch watch;
  watch.source->processes[3].stat.start_ticks = 90'000;
  watch.collect();
  watch.clock.suspend_ms(3'600'000);
  watch.clock.advance_ms(1000);
  watch.source->processes[4].stat.start_ticks = watch.clock.boottime_ns() / 10'000'000 - 20;
  const Collected collected = watch.collect();
  CHECK_FALSE(collected.snapshots[0].instances[0].counts_from_zero);
  CHECK(collected.snapshots[0].instances[1].counts_from_zero);
  CHECK(cooked(collected.snapshots[0], collected.snapshots[0], "age").value == Approx(101));
}

TEST_CASE("Without a boot time in /proc/stat the clocks give one") {
  Watch watch;
  watch.source->boot_time.reset();
  watch.source->processes[3].stat = {.comm = "a", .start_ticks = 100};
  // 1000 s of uptime at 1796040000.
  CHECK(watch.collect().snapshots[0].instances[0].name == "a:3@1796039001");
}

TEST_CASE("Blind spots and hidden processes are told; a /proc that cannot be listed is a failure",
          "[hidepid][namespace]") {
  Watch watch;
  watch.source->blind = {{ErrorCode::unavailable, "only the processes of this container are visible", "", 0}};
  watch.source->processes[3].refused = {ProcessFile::stat};
  const Collected collected = watch.collect();
  REQUIRE(collected.problems.size() == 2);
  CHECK(collected.problems[0].code == ErrorCode::unavailable);
  CHECK(collected.problems[1].code == ErrorCode::permission);
  CHECK(collected.problems[1].message.starts_with("1 "));

  watch.source->list_error = Error{ErrorCode::unavailable, "cannot open /proc", {}, 0};
  const auto failed = watch.collector.collect(watch.clock);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code == ErrorCode::unavailable);
}

TEST_CASE("CPUs that come or go change the share of the machine within ten scans", "[T-L13]") {
  Watch watch;
  watch.source->processes[3].stat.start_ticks = 10;
  CHECK(watch.collect().snapshots[0].row(0)[kCpus] == 4);
  watch.source->cpus = 2;
  std::int64_t cpus = 4;
  for (int scan = 0; scan < 10; ++scan) {
    watch.clock.advance_ms(1000);
    cpus = watch.collect().snapshots[0].row(0)[kCpus];
  }
  CHECK(cpus == 2);
}
