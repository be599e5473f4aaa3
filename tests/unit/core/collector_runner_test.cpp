#include "collectors/core/collector_runner.hpp"

#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <stdexcept>
#include <vector>

#include "tests/support/manual_clock.hpp"

namespace countertop {
namespace {

constexpr std::int64_t kStart = 1'796'040'000'300;  // 300 ms behind the second

class ScriptedCollector final : public Collector {
 public:
  using Script = std::function<Result<Collected>(int reading)>;
  explicit ScriptedCollector(Script script) : script_(std::move(script)) {}

  [[nodiscard]] std::string_view name() const override { return "scripted"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override { return {}; }
  [[nodiscard]] Result<Collected> collect(const Clock&) override { return script_(readings_++); }

 private:
  Script script_;
  int readings_ = 0;
};

Collected some_data(std::int64_t wall_ms) {
  Collected collected;
  collected.snapshots.emplace_back();
  collected.snapshots.back().time.wall_ms = wall_ms;
  return collected;
}

/// Runs a scripted collector for a number of readings on a clock that jumps from deadline to deadline.
struct Run {
  test::ManualClock clock{kStart};
  BoundedQueue<Collected> queue{1000};
  std::unique_ptr<CollectorRunner> runner;
  std::vector<Mark> marks;
  std::vector<std::int64_t> times;
  std::function<void()> between = [] {};

  void go(int readings, ScriptedCollector::Script script) {
    runner = std::make_unique<CollectorRunner>(std::make_unique<ScriptedCollector>(std::move(script)), clock,
                                               queue, 1000);
    clock.on_sleep([this, left = readings]() mutable {
      last_status = runner->status();
      between();
      return --left > 0;
    });
    runner->run({});
    while (auto collected = queue.try_pop()) {
      marks.insert(marks.end(), collected->marks.begin(), collected->marks.end());
      for (const Snapshot& snapshot : collected->snapshots) times.push_back(snapshot.time.wall_ms);
    }
  }
  CollectorStatus last_status;
};

TEST_CASE("Readings fall on the wall clock's seconds, the first one at once", "[runner]") {
  Run run;
  run.go(4, [&](int) { return some_data(run.clock.wall_ms()); });
  CHECK(run.times == std::vector<std::int64_t>{kStart, kStart + 700, kStart + 1700, kStart + 2700});
  CHECK(run.last_status.state == CollectorState::running);
  CHECK(run.last_status.readings == 4);
  CHECK(run.last_status.late_ticks == 0);
  CHECK(run.last_status.name == "scripted");
  CHECK(run.marks.empty());
  CHECK(run.runner->status().state == CollectorState::off);
}

TEST_CASE("Ticks are computed from the wall second, whatever happened in between", "[runner]") {
  CHECK(next_tick_ms(5'000, 5'002, 1000) == 6'000);
  CHECK(next_tick_ms(5'000, 5'999, 1000) == 6'000);
  CHECK(next_tick_ms(6'000, 5'999, 1000) == 7'000);      // woken a moment early: no second reading at 6 s
  CHECK(next_tick_ms(5'000, 7'300, 1000) == 8'000);      // ran over two ticks
  CHECK(next_tick_ms(5'000, 100'300, 1000) == 101'000);  // the clock was put forward
  CHECK(next_tick_ms(100'000, 5'300, 1000) == 6'000);    // and back
  CHECK(next_tick_ms(5'000, 5'002, 250) == 5'250);
}

TEST_CASE("After a step of the wall clock readings go on in step with it [T-T04]", "[runner][T-T04]") {
  Run run;
  run.between = [&, count = 0]() mutable {
    if (++count == 1) run.clock.step_wall_ms(-3'600'400);
  };
  run.go(4, [&](int) { return some_data(run.clock.wall_ms()); });
  const std::int64_t base = kStart + 700 - 3'600'400;
  CHECK(run.times == std::vector<std::int64_t>{kStart, base, base + 400, base + 1400});
}

TEST_CASE("A reading that takes too long skips ticks and counts them", "[runner]") {
  Run run;
  run.go(3, [&](int reading) {
    if (reading == 1) run.clock.advance_ms(2'300);
    return some_data(run.clock.wall_ms());
  });
  CHECK(run.times.back() == kStart + 3'700);
  CHECK(run.last_status.late_ticks == 2);
  CHECK(run.last_status.longest_duration_us == 2'300'000);
  CHECK(run.last_status.last_duration_us == 0);
}

TEST_CASE("A failure is marked once when it begins and once when it ends", "[runner]") {
  Run run;
  run.go(6, [&](int reading) -> Result<Collected> {
    if (reading >= 1 && reading <= 3)
      return fail(ErrorCode::permission, "cannot read /proc/x", "run as root");
    return some_data(run.clock.wall_ms());
  });
  REQUIRE(run.marks.size() == 2);
  CHECK(run.marks[0].kind == MarkKind::collector_failed);
  CHECK(run.marks[0].text == "the collector 'scripted' gives no data: cannot read /proc/x");
  CHECK(run.marks[1].kind == MarkKind::collector_back);
  CHECK(run.last_status.failures == 3);
  CHECK(run.last_status.state == CollectorState::running);
  CHECK(run.last_status.reason.empty());
}

TEST_CASE("What a collector throws is its failure and stops nothing", "[runner]") {
  Run run;
  run.go(3, [&](int reading) -> Result<Collected> {
    if (reading == 0) throw std::runtime_error("broken");
    if (reading == 1) throw 7;
    return some_data(run.clock.wall_ms());
  });
  CHECK(run.last_status.failures == 2);
  CHECK(run.times.size() == 1);
  REQUIRE(run.marks.size() == 2);
  CHECK(run.marks[0].text.find("broken") != std::string::npos);
}

TEST_CASE("What a machine never had is no failure and is asked for once a minute", "[runner]") {
  Run run;
  run.go(3, [&](int) -> Result<Collected> {
    run.times.push_back(run.clock.wall_ms());
    return fail(ErrorCode::unavailable, "no temperature sensors");
  });
  CHECK(run.last_status.state == CollectorState::unavailable);
  CHECK(run.last_status.reason == "no temperature sensors");
  CHECK(run.last_status.failures == 0);
  CHECK(run.marks.empty());
  REQUIRE(run.times.size() == 3);
  CHECK(run.times[1] - run.times[0] >= 59'000);
  CHECK(run.times[2] - run.times[1] == 60'000);
}

TEST_CASE("A reading longer than five intervals shows as hung from outside, and leaves a mark", "[runner]") {
  Run run;
  CollectorStatus early;
  CollectorStatus late;
  run.go(2, [&](int reading) {
    if (reading == 1) {
      run.clock.advance_ms(4'900);
      early = run.runner->status();
      run.clock.advance_ms(2'100);
      late = run.runner->status();
    }
    return some_data(run.clock.wall_ms());
  });
  CHECK(early.state == CollectorState::running);
  CHECK(late.state == CollectorState::hung);
  CHECK(late.reason == "a reading has not come back for 7.0 s");
  CHECK(run.last_status.state == CollectorState::running);
  REQUIRE(run.marks.size() == 1);
  CHECK(run.marks[0].kind == MarkKind::collector_failed);
  CHECK(run.marks[0].wall_ms == kStart + 700);
  CHECK(run.marks[0].until_ms == kStart + 7'700);
}

TEST_CASE("Parts that could not be read show as the reason while the rest goes on", "[runner]") {
  Run run;
  run.go(1, [&](int) {
    Collected collected = some_data(run.clock.wall_ms());
    collected.problems.push_back(
        {ErrorCode::permission, "io of other users' processes is hidden", "run as root", 13});
    return collected;
  });
  CHECK(run.last_status.state == CollectorState::running);
  CHECK(run.last_status.reason == "io of other users' processes is hidden");
  CHECK(run.last_status.fix == "run as root");
}

TEST_CASE("The thread gives readings and ends on request", "[runner]") {
  BoundedQueue<Collected> queue(10);
  CollectorRunner runner(std::make_unique<ScriptedCollector>([](int) { return some_data(1); }),
                         system_clock(), queue, 3'600'000);
  runner.start();
  const auto first = queue.pop_until(std::chrono::steady_clock::now() + std::chrono::minutes(1), {});
  REQUIRE(first.has_value());
  CHECK(first->snapshots.size() == 1);
  runner.request_stop();
}

}  // namespace
}  // namespace countertop
