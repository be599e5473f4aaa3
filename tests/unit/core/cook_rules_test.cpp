// The rules around the formulas: steps back, wraps, garbage, bases of zero, standing clocks, newborn
// instances.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "tests/unit/core/cook_fixture.hpp"

namespace countertop {
namespace {

using Catch::Approx;
using test::Interval;
using test::interval_of;
using test::object_of;

/// The fields of a CPU row with the counters that matter here: user without guest, iowait, steal, busy, all
/// as shares of the sum of all fields with guest taken out of user once.
enum CpuField : std::uint16_t { user, nice, sys, idle, iowait, irq, softirq, steal, guest, guest_nice };

ObjectDefinition cpu_object() {
  ObjectDefinition object;
  object.name = "cpu";
  object.instanced = true;
  constexpr double kBound = 1000;  // 100 Hz with a wide margin
  const auto field = [](const char* name, Backward backward, std::int64_t tolerance = 0) {
    return FieldDefinition{name, backward, tolerance, kBound};
  };
  object.fields = {field("user", Backward::reset),    field("nice", Backward::reset),
                   field("system", Backward::reset),  field("idle", Backward::floor_small, 300),
                   field("iowait", Backward::floor),  field("irq", Backward::reset),
                   field("softirq", Backward::reset), field("steal", Backward::reset),
                   field("guest", Backward::reset),   field("guest_nice", Backward::reset)};
  const std::vector<Term> all{{user, 1},   {nice, 1}, {sys, 1},     {idle, 1},
                              {iowait, 1}, {irq, 1},  {softirq, 1}, {steal, 1}};
  const auto share = [&](const char* name, std::vector<Term> value) {
    CounterDefinition counter;
    counter.name = name;
    counter.unit = "%";
    counter.type = CounterType::sample_fraction;
    counter.value = std::move(value);
    counter.base = all;
    return counter;
  };
  object.counters = {share("user", {{user, 1}, {guest, -1}}), share("iowait", {{iowait, 1}}),
                     share("busy", {{user, 1}, {nice, 1}, {sys, 1}, {irq, 1}, {softirq, 1}, {steal, 1}}),
                     share("guest", {{guest, 1}}), share("idle", {{idle, 1}})};
  return object;
}

enum CpuCounter : std::size_t { kUser, kIowait, kBusy, kGuest, kIdle };

const std::vector<std::int64_t> kCpu{1000, 50, 400, 90'000, 700, 10, 20, 5, 100, 0};

std::vector<std::int64_t> cpu_after(std::initializer_list<std::pair<CpuField, std::int64_t>> growth) {
  auto row = kCpu;
  for (const auto& [field, ticks] : growth) row[field] += ticks;
  return row;
}

TEST_CASE("iowait going back counts as nothing, in the share and in the sum [T-L02]", "[cook][T-L02]") {
  const ObjectDefinition object = cpu_object();
  const Interval interval = interval_of(kCpu, cpu_after({{user, 20}, {idle, 80}, {iowait, -600}}));
  CHECK(interval.cook(object, kIowait).value == 0);
  CHECK(interval.cook(object, kUser).value == Approx(20));
  CHECK(interval.cook(object, kIdle).value == Approx(80));
  // The sums that are shown still give the value: B1 - B0 is 100, not -500.
  const CookedParts parts = cook_parts(object, object.counters[kUser], interval.older(), interval.newer());
  CHECK(parts.newer_base - parts.older_base == 100);
}

TEST_CASE("idle going back a little counts as nothing, a lot is a reset [T-L03]", "[cook][T-L03]") {
  const ObjectDefinition object = cpu_object();
  CHECK(interval_of(kCpu, cpu_after({{user, 50}, {sys, 50}, {idle, -3}})).cook(object, kUser).value ==
        Approx(50));
  CHECK(interval_of(kCpu, cpu_after({{user, 50}, {idle, -3}})).cook(object, kIdle).value == 0);
  CHECK(interval_of(kCpu, cpu_after({{user, 50}, {idle, -301}})).cook(object, kUser).absence ==
        Absence::counter_reset);
  // A CPU that was off and on again begins at small numbers in every field.
  const std::vector<std::int64_t> reborn{3, 0, 2, 10, 0, 0, 0, 0, 0, 0};
  CHECK(interval_of(kCpu, reborn).cook(object, kBusy).absence == Absence::counter_reset);
}

TEST_CASE("Guest time is taken out of user once and never makes it negative [T-L05]", "[cook][T-L05]") {
  const ObjectDefinition object = cpu_object();
  const Interval half = interval_of(kCpu, cpu_after({{user, 40}, {guest, 30}, {idle, 60}}));
  CHECK(half.cook(object, kUser).value == Approx(10));
  CHECK(half.cook(object, kGuest).value == Approx(30));
  // The two are not read at one moment: one tick more of guest than of user is nothing.
  const Interval late = interval_of(kCpu, cpu_after({{user, 40}, {guest, 41}, {idle, 60}}));
  CHECK(late.cook(object, kUser).absence == Absence::none);
  CHECK(late.cook(object, kUser).value == 0);
}

TEST_CASE("Waiting for I/O is not busy [T-L06]", "[cook][T-L06]") {
  const ObjectDefinition object = cpu_object();
  const Interval interval = interval_of(kCpu, cpu_after({{user, 10}, {iowait, 80}, {idle, 10}}));
  CHECK(interval.cook(object, kBusy).value == Approx(10));
  CHECK(interval.cook(object, kIowait).value == Approx(80));
}

TEST_CASE("Garbage in steal gives no value for the interval [T-L07]", "[cook][T-L07]") {
  const ObjectDefinition object = cpu_object();
  const Interval garbage = interval_of(kCpu, cpu_after({{user, 20}, {idle, 80}, {steal, 300'000'000}}));
  CHECK(garbage.cook(object, kUser).absence == Absence::implausible);
  CHECK(garbage.cook(object, kBusy).absence == Absence::implausible);
  CHECK(interval_of(kCpu, cpu_after({{steal, 1000}})).cook(object, kBusy).value == Approx(100));
  CHECK(interval_of(kCpu, cpu_after({{steal, 1001}})).cook(object, kBusy).absence == Absence::implausible);
  // The bound grows with the interval.
  CHECK(interval_of(kCpu, cpu_after({{steal, 1001}}), 10).cook(object, kBusy).absence == Absence::none);
}

TEST_CASE("Counters that go back are a reset and never a negative or huge value [T-L08]", "[cook][T-L08]") {
  const ObjectDefinition object = object_of(CounterType::bulk_count);
  const Cooked cooked = interval_of({5'000'000, 0}, {17, 0}).cook(object);
  CHECK(cooked.absence == Absence::counter_reset);
  CHECK_FALSE(cooked.value == cooked.value);  // NaN: nobody can mistake it for a number
}

TEST_CASE("An instance born inside the interval counts from zero [T-L09]", "[cook][T-L09]") {
  ObjectDefinition object = object_of(CounterType::bulk_count);
  const Interval interval = interval_of({}, {850, 0}, 2);
  CHECK(cook_from_zero(object, object.counters[0], interval.older_time, interval.newer()).value ==
        Approx(425));
  object.fields[0].max_per_second = 400;
  CHECK(cook_from_zero(object, object.counters[0], interval.older_time, interval.newer()).absence ==
        Absence::implausible);
  const ObjectDefinition gauge = object_of(CounterType::large_raw_count, Backward::gauge);
  CHECK(cook_from_zero(gauge, gauge.counters[0], interval.older_time, interval.newer()).value == 850);
}

TEST_CASE("4-byte counters wrap, 8-byte ones that go back are a reset [T-W15]", "[cook][T-W15]") {
  const ObjectDefinition small = object_of(CounterType::counter, Backward::wrap_32bit);
  CHECK(interval_of({0xFFFF'FFF0, 0}, {0x10, 0}).cook(small).value == Approx(32));
  const CookedParts parts =
      cook_parts(small, small.counters[0], interval_of({0xFFFF'FFF0, 0}, {0x10, 0}).older(),
                 interval_of({0xFFFF'FFF0, 0}, {0x10, 0}).newer());
  CHECK(parts.newer_value - parts.older_value == 32);
  const ObjectDefinition large = object_of(CounterType::bulk_count);
  CHECK(interval_of({0xFFFF'FFF0, 0}, {0x10, 0}).cook(large).absence == Absence::counter_reset);
  // Past 2^63 the values are negative as signed numbers, their difference is not.
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  CHECK(interval_of({kLargest - 5, 0}, {kNoValue + 4, 0}).cook(large).value == Approx(10));
}

TEST_CASE("A base that did not grow gives no value and no division [T-W15]", "[cook][T-W15]") {
  const ObjectDefinition average = object_of(CounterType::average_bulk);
  CHECK(interval_of({10, 7}, {10, 7}).cook(average).absence == Absence::zero_base);
  CHECK(interval_of({10, 7}, {10, 6}).cook(average).absence == Absence::counter_reset);
  const ObjectDefinition fraction = object_of(CounterType::raw_fraction, Backward::gauge);
  CHECK(interval_of({0, 0}, {5, 0}).cook(fraction).absence == Absence::zero_base);
  CHECK(interval_of({0, 0}, {5, -1}).cook(fraction).absence == Absence::zero_base);
  const ObjectDefinition multi = object_of(CounterType::multi_timer);
  CHECK(interval_of({0, 0}, {5, 0}).cook(multi).absence == Absence::zero_base);
}

TEST_CASE("A clock that did not move gives no value [T-W15]", "[cook][T-W15]") {
  const ObjectDefinition rate = object_of(CounterType::bulk_count);
  CHECK(interval_of({1, 0}, {5, 0}, 0).cook(rate).absence == Absence::no_time);
  CHECK(interval_of({1, 0}, {5, 0}, -1).cook(rate).absence == Absence::no_time);
  CHECK(interval_of({1, 0}, {5, 0}, -1).cook(object_of(CounterType::delta)).absence == Absence::no_time);
  // Only the clock of the formula has to move.
  const ObjectDefinition hundred_ns = object_of(CounterType::timer_100ns);
  CHECK(interval_of({1, 0}, {5, 0}).cook(hundred_ns).absence == Absence::no_time);
  Interval no_frequency = interval_of({1, 0}, {5, 0});
  no_frequency.newer_time.perf_frequency = 0;
  CHECK(no_frequency.cook(rate).absence == Absence::no_time);
}

TEST_CASE("Busy is kernel and user less idle, with its fractions [T-W18]", "[cook][T-W18]") {
  // Windows counts idle inside kernel time; a denominator that adds idle once more halves the result.
  ObjectDefinition object = object_of(CounterType::sample_fraction);
  object.fields = {
      {"kernel", Backward::reset, 0, 0}, {"user", Backward::reset, 0, 0}, {"idle", Backward::reset, 0, 0}};
  object.counters[0].value = {{0, 1}, {1, 1}, {2, -1}};
  object.counters[0].base = {{0, 1}, {1, 1}};
  const Interval interval = interval_of({0, 0, 0}, {9'990'000, 10'000, 9'975'000});
  CHECK(interval.cook(object).value == Approx(0.25));
  CHECK(interval_of({0, 0, 0}, {9'990'000, 10'000, 10'000'001}).cook(object).value == 0);
}

TEST_CASE("Inverse timers stay between 0 and 100 percent", "[cook]") {
  const ObjectDefinition inverse = object_of(CounterType::timer_inverse);
  CHECK(interval_of({0, 0}, {10'156, 0}).cook(inverse).value == 0);  // more idle than time
  CHECK(interval_of({0, 0}, {0, 0}).cook(inverse).value == 100);
  const ObjectDefinition multi = object_of(CounterType::multi_timer_inverse);
  CHECK(interval_of({0, 4}, {40'400, 4}).cook(multi).value == 0);
  // A plain timer of several threads may well exceed 100.
  CHECK(interval_of({0, 0}, {25'000, 0}).cook(object_of(CounterType::timer)).value == Approx(250));
}

TEST_CASE("A gauge may fall, also as a difference", "[cook]") {
  const ObjectDefinition object = object_of(CounterType::large_delta, Backward::gauge);
  CHECK(interval_of({10, 0}, {4, 0}).cook(object).value == -6);
  ObjectDefinition used = object_of(CounterType::large_raw_count, Backward::gauge);
  used.counters[0].value = {{0, 1}, {1, -1}};
  CHECK(interval_of({0, 0}, {4, 10}).cook(used).value == -6);
}

TEST_CASE("A field that could not be read gives no value, not zero", "[cook]") {
  const ObjectDefinition rate = object_of(CounterType::bulk_count);
  CHECK(interval_of({1, 0}, {kNoValue, 0}).cook(rate).absence == Absence::not_readable);
  CHECK(interval_of({kNoValue, 0}, {5, 0}).cook(rate).absence == Absence::first_sample);
  CHECK(interval_of({1, 0}, {5, kNoValue}).cook(rate).absence ==
        Absence::none);  // not a field of the counter
  const ObjectDefinition gauge = object_of(CounterType::large_raw_count, Backward::gauge);
  CHECK(interval_of({1, 0}, {kNoValue, 0}).cook(gauge).absence == Absence::not_readable);
  const ObjectDefinition multi = object_of(CounterType::multi_timer);
  CHECK(interval_of({1, 4}, {5, kNoValue}).cook(multi).absence == Absence::not_readable);
}

TEST_CASE("Every absence has a name", "[cook]") {
  CHECK(to_string(Absence::counter_reset) == "counter_reset");
  CHECK(to_string(Absence::not_readable) == "not_readable");
  CHECK(to_string(Absence::none) == "none");
}

}  // namespace
}  // namespace countertop
