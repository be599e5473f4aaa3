// Every counter type from bytes to the value that people read: two blocks of one provider, a second apart.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "collectors/core/cook.hpp"
#include "collectors/perflib/snapshot_reader.hpp"
#include "tests/support/perflib_encoder.hpp"

namespace countertop::perflib {
namespace {

using Catch::Approx;
using enum CounterType;

constexpr std::int64_t kPerfFrequency = 2'000'000;  // ticks of the performance clock in the second between
constexpr std::int64_t kSecond100ns = 10'000'000;
constexpr std::int64_t kObjectFrequency = 1000;

struct Row {
  CounterType type;
  std::uint32_t size;
  std::int64_t older, newer;
  CounterType base;  // no_data: the type has none
  std::uint32_t base_size;
  std::int64_t older_base, newer_base;
  double expected;
};

Snapshot read(SnapshotReader& reader, const Row& row, bool newer) {
  test::EncodedBlock source;
  source.perf_frequency = kPerfFrequency;
  source.perf_time = newer ? 9 * kPerfFrequency : 8 * kPerfFrequency;
  source.perf_time_100ns = newer ? 5 * kSecond100ns : 4 * kSecond100ns;
  test::EncodedObject object{9000, {}, {}, false};
  object.perf_frequency = kObjectFrequency;
  object.perf_time = newer ? 70'000 : 69'000;
  object.counters.push_back({9002, static_cast<std::uint32_t>(row.type), row.size});
  test::EncodedInstance values{u"", {newer ? row.newer : row.older}};
  if (row.base != no_data) {
    object.counters.push_back({9004, static_cast<std::uint32_t>(row.base), row.base_size});
    values.values.push_back(newer ? row.newer_base : row.older_base);
  }
  object.instances.push_back(values);
  source.objects.push_back(object);
  const auto bytes = test::encode_block(source);
  DataBlock block;
  REQUIRE(parse_data_block(bytes, block));
  const Names names;
  auto reading = reader.read(block, names);
  REQUIRE(reading.snapshots.size() == 1);
  return reading.snapshots.front();
}

Cooked cooked(const Row& row) {
  SnapshotReader reader;
  const Snapshot before = read(reader, row, false);
  const Snapshot after = read(reader, row, true);
  REQUIRE(before.object == after.object);
  REQUIRE(after.object->counters.size() == 1);
  const RawSample older{before.row(0), before.time};
  return cook(*after.object, after.object->counters.front(), &older, {after.row(0), after.time});
}

TEST_CASE("each counter type of winperf.h comes out as its formula says") {
  constexpr std::int64_t kBig = 1LL << 40;
  const Row row = GENERATE_COPY(
      Row{counter, 4, 100, 350, no_data, 0, 0, 0, 250},
      Row{bulk_count, 8, kBig, kBig + 250, no_data, 0, 0, 0, 250},
      Row{sample_counter, 4, 100, 350, no_data, 0, 0, 0, 250},
      Row{timer, 8, kBig, kBig + kPerfFrequency / 4, no_data, 0, 0, 0, 25},
      Row{timer_inverse, 8, kBig, kBig + kPerfFrequency / 4, no_data, 0, 0, 0, 75},
      Row{timer_100ns, 8, kBig, kBig + kSecond100ns * 3, no_data, 0, 0, 0, 300},
      Row{timer_100ns_inverse, 8, kBig, kBig + kSecond100ns / 5, no_data, 0, 0, 0, 80},
      Row{object_timer, 8, 5, 505, no_data, 0, 0, 0, 50}, Row{object_timer, 4, 5, 505, no_data, 0, 0, 0, 50},
      Row{multi_timer, 8, 0, kPerfFrequency, multi_base, 8, 4, 4, 25},
      Row{multi_timer_inverse, 8, 0, kPerfFrequency, multi_base, 8, 4, 4, 300},
      Row{multi_timer_100ns, 8, 0, kSecond100ns, multi_base, 8, 4, 4, 25},
      Row{multi_timer_100ns_inverse, 8, 0, kSecond100ns, multi_base, 8, 4, 4, 300},
      Row{queue_length, 4, 0, kPerfFrequency * 2, no_data, 0, 0, 0, 2},
      Row{large_queue_length, 8, kBig, kBig + kPerfFrequency * 2, no_data, 0, 0, 0, 2},
      Row{queue_length_100ns, 8, kBig, kBig + kSecond100ns / 2, no_data, 0, 0, 0, 0.5},
      Row{queue_length_object_time, 8, 0, 250, no_data, 0, 0, 0, 0.25},
      Row{raw_count, 4, 1, 42, no_data, 0, 0, 0, 42},
      Row{raw_count, 8, 1, kBig, no_data, 0, 0, 0, double(kBig)},
      Row{large_raw_count, 8, 1, kBig, no_data, 0, 0, 0, double(kBig)},
      Row{raw_count_hex, 4, 1, 255, no_data, 0, 0, 0, 255},
      Row{large_raw_count_hex, 8, 1, 255, no_data, 0, 0, 0, 255}, Row{delta, 4, 10, 15, no_data, 0, 0, 0, 5},
      Row{large_delta, 8, kBig, kBig + 5, no_data, 0, 0, 0, 5},
      Row{sample_fraction, 4, 10, 15, sample_base, 4, 100, 120, 25},
      Row{raw_fraction, 4, 0, 15, raw_base, 4, 0, 60, 25},
      Row{large_raw_fraction, 8, 0, kBig, large_raw_base, 8, 0, kBig * 4, 25},
      Row{average_timer, 4, 0, kPerfFrequency / 2, average_base, 4, 10, 20, 0.05},
      Row{average_timer, 8, kBig, kBig + kPerfFrequency / 2, average_base, 4, 10, 20, 0.05},
      Row{average_bulk, 8, kBig, kBig + 40960, average_base, 4, 10, 20, 4096},
      Row{elapsed_time, 8, 9000, 9000, no_data, 0, 0, 0, 61},
      Row{precision_system_timer, 8, 0, 30, large_raw_base, 8, kBig, kBig + 40, 75},
      Row{precision_100ns_timer, 8, 0, 30, large_raw_base, 8, kBig, kBig + 40, 75},
      Row{precision_object_timer, 8, 0, 30, large_raw_base, 8, kBig, kBig + 40, 75});
  CAPTURE(find_description(row.type)->name, row.size);
  const Cooked value = cooked(row);
  CHECK(value.absence == Absence::none);
  CHECK(value.value == Approx(row.expected));
}

TEST_CASE("4-byte counters wrap, in value and base alike; 8-byte ones do not") {
  CHECK(cooked({counter, 4, 0xFFFF'FFF0, 0x10, no_data, 0, 0, 0, 0}).value == 32);
  CHECK(cooked({average_bulk, 8, 0, 640, average_base, 4, 0xFFFF'FFF0, 0x10, 0}).value == 20);
  CHECK(cooked({sample_fraction, 4, 0xFFFF'FFFE, 2, sample_base, 4, 0xFFFF'FFFC, 4, 0}).value == 50);
  CHECK(cooked({bulk_count, 8, 100, 50, no_data, 0, 0, 0, 0}).absence == Absence::counter_reset);
}

TEST_CASE("a 4-byte counter that began anew is no growth of four thousand million") {
  CHECK(cooked({counter, 4, 1000, 3, no_data, 0, 0, 0, 0}).absence == Absence::implausible);
  CHECK(cooked({delta, 4, 1000, 999, no_data, 0, 0, 0, 0}).absence == Absence::implausible);
}

TEST_CASE("a base that did not move gives no value") {
  CHECK(cooked({average_bulk, 8, 0, 640, average_base, 4, 7, 7, 0}).absence == Absence::zero_base);
  CHECK(cooked({raw_fraction, 4, 0, 15, raw_base, 4, 0, 0, 0}).absence == Absence::zero_base);
  CHECK(cooked({multi_timer, 8, 0, 15, multi_base, 8, 0, 0, 0}).absence == Absence::zero_base);
}

TEST_CASE("inverse timers stay between 0 and 100, utilities may exceed 100") {
  CHECK(cooked({timer_100ns_inverse, 8, 0, kSecond100ns + 156'000, no_data, 0, 0, 0, 0}).value == 0);
  CHECK(cooked({average_bulk, 8, 0, 1365, average_base, 4, 0, 10, 0}).value == Approx(136.5));
}

TEST_CASE("a multi timer without a base takes the count behind its value") {
  const auto read_at = [](SnapshotReader& reader, std::int64_t value, std::int64_t ticks) {
    test::EncodedBlock source;
    source.perf_frequency = kPerfFrequency;
    source.perf_time = ticks;
    test::EncodedInstance values{u"", {value}};
    values.trailing_count = 2;
    source.objects.push_back(
        {9000, {{9002, static_cast<std::uint32_t>(multi_timer), 8, 8}}, {values}, false});
    const auto bytes = test::encode_block(source);
    DataBlock block;
    REQUIRE(parse_data_block(bytes, block));
    return reader.read(block, Names()).snapshots.front();
  };
  SnapshotReader reader;
  const Snapshot before = read_at(reader, 0, 0);
  const Snapshot after = read_at(reader, kPerfFrequency, kPerfFrequency);
  const RawSample older{before.row(0), before.time};
  const Cooked value =
      cook(*after.object, after.object->counters.front(), &older, {after.row(0), after.time});
  CHECK(value.value == 50);
}

}  // namespace
}  // namespace countertop::perflib
