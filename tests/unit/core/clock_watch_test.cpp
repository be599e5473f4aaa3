#include "collectors/core/clock_watch.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/manual_clock.hpp"

namespace countertop {
namespace {

constexpr std::int64_t kStart = 1'796'040'000'000;

struct Watched {
  test::ManualClock clock{kStart};
  ClockWatch watch{1000};

  Watched() { CHECK(tick().empty()); }
  std::vector<Mark> tick() { return watch.tick(read_clocks(clock)); }
};

TEST_CASE("Ticks in step give no mark, jitter and one missed tick neither", "[clock]") {
  Watched w;
  for (const std::int64_t ms : {1000, 1003, 997, 1400, 2001, 1000}) {
    w.clock.advance_ms(ms);
    CHECK(w.tick().empty());
  }
}

TEST_CASE("Sleep is one mark over the whole sleep and no lateness [T-T04]", "[clock][T-T04]") {
  Watched w;
  w.clock.advance_ms(500);
  w.clock.suspend_ms(3 * 3600 * 1000);
  w.clock.advance_ms(500);
  const auto marks = w.tick();
  REQUIRE(marks.size() == 1);
  CHECK(marks[0].kind == MarkKind::suspend);
  CHECK(marks[0].wall_ms == kStart);
  CHECK(marks[0].until_ms == kStart + 3 * 3600 * 1000 + 1000);
  CHECK(marks[0].text == "the computer was asleep for 3 h 0 min");
  w.clock.advance_ms(1000);
  CHECK(w.tick().empty());
}

TEST_CASE("A wall clock set forward leaves a gap of labels that the mark covers [T-T04]", "[clock][T-T04]") {
  Watched w;
  w.clock.advance_ms(1000);
  w.clock.step_wall_ms(90'000);
  const auto marks = w.tick();
  REQUIRE(marks.size() == 1);
  CHECK(marks[0].kind == MarkKind::clock_step);
  CHECK(marks[0].wall_ms == kStart + 1000);
  CHECK(marks[0].until_ms == kStart + 91'000);
  CHECK(marks[0].text == "the clock was put forward by 2 min");
}

TEST_CASE("A wall clock set back is a moment, and a correction below a second is nothing [T-T04]",
          "[clock][T-T04]") {
  Watched w;
  w.clock.advance_ms(1000);
  w.clock.step_wall_ms(-7'200);
  const auto marks = w.tick();
  REQUIRE(marks.size() == 1);
  CHECK(marks[0].kind == MarkKind::clock_step);
  CHECK(marks[0].wall_ms == kStart - 6'200);
  CHECK(marks[0].until_ms == 0);
  CHECK(marks[0].text == "the clock was put back by 7.2 s");
  w.clock.advance_ms(1000);
  w.clock.step_wall_ms(-900);
  CHECK(w.tick().empty());
}

TEST_CASE("Sleep and a clock that was set while asleep are told apart [T-T04]", "[clock][T-T04]") {
  Watched w;
  w.clock.advance_ms(1000);
  w.clock.suspend_ms(60'000);
  w.clock.step_wall_ms(3'600'000);
  const auto marks = w.tick();
  REQUIRE(marks.size() == 2);
  CHECK(marks[0].kind == MarkKind::suspend);
  CHECK(marks[0].until_ms == kStart + 61'000);
  CHECK(marks[1].kind == MarkKind::clock_step);
  CHECK(marks[1].wall_ms == kStart + 61'000);
  CHECK(marks[1].until_ms == kStart + 3'661'000);
}

TEST_CASE("A sampler that did not get to run is late, not asleep [T-T04]", "[clock][T-T04]") {
  Watched w;
  w.clock.advance_ms(4'200);
  const auto marks = w.tick();
  REQUIRE(marks.size() == 1);
  CHECK(marks[0].kind == MarkKind::late);
  CHECK(marks[0].wall_ms == kStart);
  CHECK(marks[0].until_ms == kStart + 4'200);
}

}  // namespace
}  // namespace countertop
