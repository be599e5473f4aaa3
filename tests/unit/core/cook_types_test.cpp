// One row for each counter type of both systems: constants as in winperf.h, formulas as in "Calculating
// counter values".
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>

#include "tests/unit/core/cook_fixture.hpp"

namespace countertop {
namespace {

using Catch::Approx;
using test::Interval;
using test::object_of;

/// Each clock moves by another amount, so that a formula which takes the wrong one fails:
/// performance clock 2 s at 3 MHz, 100 ns clock 4 s, object clock 8 s at 1 kHz.
Interval three_clocks(std::int64_t n0, std::int64_t n1, std::int64_t b0 = 0, std::int64_t b1 = 0) {
  Interval interval{{n0, b0}, {n1, b1}, {}, {}};
  interval.older_time = {0, 1'000'000, 3'000'000, 50'000'000, 7'000, 1'000};
  interval.newer_time = {0, 7'000'000, 3'000'000, 90'000'000, 15'000, 1'000};
  return interval;
}

struct Row {
  std::uint32_t number;
  std::string_view name;
  std::int64_t n0, n1, b0, b1;
  double expected;
};

const Row kRows[] = {
    // number, name, N0, N1, B0, B1, cooked
    {0x10410400, "PERF_COUNTER_COUNTER", 100, 700, 0, 0, 300},
    {0x10410500, "PERF_COUNTER_BULK_COUNT", 100, 701, 0, 0, 300.5},
    {0x00410400, "PERF_SAMPLE_COUNTER", 0, 10, 0, 0, 5},
    {0x20410500, "PERF_COUNTER_TIMER", 0, 1'500'000, 0, 0, 25},
    {0x21410500, "PERF_COUNTER_TIMER_INV", 0, 1'500'000, 0, 0, 75},
    {0x20510500, "PERF_100NSEC_TIMER", 0, 10'000'000, 0, 0, 25},
    {0x21510500, "PERF_100NSEC_TIMER_INV", 0, 10'000'000, 0, 0, 75},
    {0x20610500, "PERF_OBJ_TIME_TIMER", 0, 2'000, 0, 0, 25},
    {0x22410500, "PERF_COUNTER_MULTI_TIMER", 0, 6'000'000, 4, 4, 25},
    {0x23410500, "PERF_COUNTER_MULTI_TIMER_INV", 0, 6'000'000, 4, 4, 300},
    {0x22510500, "PERF_100NSEC_MULTI_TIMER", 0, 40'000'000, 4, 4, 25},
    {0x23510500, "PERF_100NSEC_MULTI_TIMER_INV", 0, 60'000'000, 4, 4, 250},
    {0x00450400, "PERF_COUNTER_QUEUELEN_TYPE", 0, 9'000'000, 0, 0, 1.5},
    {0x00450500, "PERF_COUNTER_LARGE_QUEUELEN_TYPE", 0, 9'000'000, 0, 0, 1.5},
    {0x00550500, "PERF_COUNTER_100NS_QUEUELEN_TYPE", 0, 60'000'000, 0, 0, 1.5},
    {0x00650500, "PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE", 0, 12'000, 0, 0, 1.5},
    {0x00010000, "PERF_COUNTER_RAWCOUNT", 5, 7, 0, 0, 7},
    {0x00010100, "PERF_COUNTER_LARGE_RAWCOUNT", 5, 7'000'000'000, 0, 0, 7'000'000'000},
    {0x00000000, "PERF_COUNTER_RAWCOUNT_HEX", 5, 255, 0, 0, 255},
    {0x00000100, "PERF_COUNTER_LARGE_RAWCOUNT_HEX", 5, 256, 0, 0, 256},
    {0x00400400, "PERF_COUNTER_DELTA", 5, 17, 0, 0, 12},
    {0x00400500, "PERF_COUNTER_LARGE_DELTA", 5, 17, 0, 0, 12},
    {0x20C20400, "PERF_SAMPLE_FRACTION", 10, 40, 100, 220, 25},
    {0x20020400, "PERF_RAW_FRACTION", 0, 30, 0, 120, 25},
    {0x20020500, "PERF_LARGE_RAW_FRACTION", 0, 30, 0, 120, 25},
    {0x30020400, "PERF_AVERAGE_TIMER", 0, 600'000, 0, 40, 0.005},
    {0x40020500, "PERF_AVERAGE_BULK", 1'000, 9'192, 10, 12, 4'096},
    {0x30240500, "PERF_ELAPSED_TIME", 0, 5'000, 0, 0, 10},
    {0x20470500, "PERF_PRECISION_SYSTEM_TIMER", 0, 30, 0, 120, 25},
    {0x20570500, "PERF_PRECISION_100NS_TIMER", 0, 30, 0, 120, 25},
    {0x20670500, "PERF_PRECISION_OBJECT_TIMER", 0, 30, 0, 120, 25},
};

TEST_CASE("Every counter type is cooked by its documented formula", "[cook]") {
  for (const Row& row : kRows) {
    INFO(row.name);
    const auto type = static_cast<CounterType>(row.number);
    const auto description = describe(type);
    REQUIRE(description.has_value());
    CHECK(description->name == row.name);
    const ObjectDefinition object = object_of(type);
    REQUIRE(why_invalid(object).empty());
    const Cooked cooked = three_clocks(row.n0, row.n1, row.b0, row.b1).cook(object);
    CHECK(cooked.absence == Absence::none);
    CHECK(cooked.value == Approx(row.expected));
  }
}

TEST_CASE("The sums shown for a value give that value when the formula is applied to them", "[cook]") {
  for (const Row& row : kRows) {
    INFO(row.name);
    const ObjectDefinition object = object_of(static_cast<CounterType>(row.number));
    const Interval interval = three_clocks(row.n0, row.n1, row.b0, row.b1);
    const CookedParts p = cook_parts(object, object.counters[0], interval.older(), interval.newer());
    const auto description = *describe(static_cast<CounterType>(row.number));
    const double n = p.newer_value - p.older_value;
    const double t = p.newer_time - p.older_time;
    const double b = p.newer_base - p.older_base;
    double value = 0;
    switch (description.formula) {
      case Formula::value:
        value = p.newer_value;
        break;
      case Formula::difference:
        value = n;
        break;
      case Formula::rate:
        value = n / (t / p.time_frequency);
        break;
      case Formula::percent_of_time:
        value = 100 * (description.inverse ? 1 - n / t : n / t);
        break;
      case Formula::multi_percent:
        value = description.inverse ? 100 * (p.newer_base - n / t) : 100 * n / t / p.newer_base;
        break;
      case Formula::per_time:
        value = n / t;
        break;
      case Formula::percent_of_base:
        value = 100 * p.newer_value / p.newer_base;
        break;
      case Formula::percent_of_delta:
        value = 100 * n / b;
        break;
      case Formula::average_seconds:
        value = n / p.time_frequency / b;
        break;
      case Formula::average:
        value = n / b;
        break;
      case Formula::elapsed:
        value = (p.newer_time - p.newer_value) / p.time_frequency;
        break;
      case Formula::none:
        FAIL("a shown type without formula");
        break;
    }
    CHECK(value == Approx(row.expected));
    CHECK_FALSE(formula_text(object.counters[0]).empty());
  }
}

TEST_CASE("Bases, texts, labels and unknown numbers have no cooked value", "[cook]") {
  for (const std::uint32_t number : {0x42030500U, 0x40030401U, 0x40030403U, 0x40030500U, 0x40030402U,
                                     0x00000B00U, 0x40000200U, 0x80000000U, 0x12345678U}) {
    INFO(number);
    const ObjectDefinition object = object_of(static_cast<CounterType>(number));
    CHECK(three_clocks(1, 2, 1, 2).cook(object).absence == Absence::not_numeric);
    CHECK(formula_text(object.counters[0]).empty());
  }
  CHECK_FALSE(describe(static_cast<CounterType>(0x12345678)).has_value());
}

TEST_CASE("Types say whether they need two samples and a base", "[cook]") {
  const std::set<Formula> one_sample{Formula::value, Formula::percent_of_base, Formula::elapsed};
  for (const Row& row : kRows) {
    INFO(row.name);
    const auto type = static_cast<CounterType>(row.number);
    const ObjectDefinition object = object_of(type);
    const Interval interval = three_clocks(row.n0, row.n1, row.b0, row.b1);
    const Cooked cooked = cook(object, object.counters[0], nullptr, interval.newer());
    const bool needs_two = !one_sample.contains(describe(type)->formula);
    CHECK(needs_two_samples(describe(type)->formula) == needs_two);
    CHECK(cooked.absence == (needs_two ? Absence::first_sample : Absence::none));
  }
  CHECK(describe(CounterType::sample_base)->is_base);
  CHECK(describe(CounterType::average_timer)->has_base);
}

TEST_CASE("A scale multiplies the value and stands in the formula's text", "[cook]") {
  ObjectDefinition object = object_of(CounterType::bulk_count);
  object.counters[0].scale = 512;
  CHECK(test::interval_of({0, 0}, {8, 0}).cook(object).value == Approx(4096));
  CHECK(formula_text(object.counters[0]) == "512 * ((N1 - N0) / ((T1 - T0) / frequency))");
}

TEST_CASE("Elapsed time of file times keeps its last digits", "[cook]") {
  const ObjectDefinition object = object_of(CounterType::elapsed_time);
  Interval interval = test::interval_of({0, 0}, {133'000'000'000'000'001, 0});
  interval.newer_time.object_time = 133'000'000'000'000'004;
  interval.newer_time.object_frequency = 10'000'000;
  CHECK(interval.cook(object).value == 3e-7);
  interval.newer_time.object_time = 132'999'999'999'999'000;  // started after the clock was read
  CHECK(interval.cook(object).value == 0);
}

}  // namespace
}  // namespace countertop
