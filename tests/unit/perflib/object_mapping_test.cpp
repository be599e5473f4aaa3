#include "collectors/perflib/object_mapping.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/perflib_encoder.hpp"

namespace countertop::perflib {
namespace {

using enum CounterType;

CounterView view(std::uint32_t index, CounterType type, std::uint32_t size = 8) {
  return {index, index + 1, static_cast<std::uint32_t>(type), size, 8};
}

TEST_CASE("bases, labels and texts are no counters of their own; what cannot be shown says why") {
  const std::vector<CounterView> counters{
      view(10, average_bulk),    view(12, average_base, 4), view(14, text, 40),    view(16, no_data, 0),
      view(18, raw_fraction, 4), view(20, raw_count, 4),    view(22, raw_count, 2)};
  const auto mapping = map_object({9000, 9001, true}, counters, Names());
  REQUIRE(mapping.objects.size() == 1);
  const auto& object = *mapping.objects[0].definition;
  REQUIRE(object.counters.size() == 2);
  CHECK(object.counters[0].name == "#10");
  CHECK(object.counters[0].base.size() == 1);
  CHECK(object.counters[1].name == "#20");
  CHECK(object.fields.size() == 3);
  CHECK(mapping.left_out == std::vector<std::string>{"#9000/#14: it is no number",
                                                     "#9000/#18: its base is missing",
                                                     "#9000/#22: its size is neither 4 nor 8 bytes"});
}

TEST_CASE("both names are shown, with the provider's help") {
  Names names;
  names.english = NameTable::from_lines("9000\tProbe (x/y)\n9001\tA probe.\n10\tReads\n11\tCounts reads.\n");
  names.local = NameTable::from_lines("9000\tSonde\n10\tLesevorgänge\n");
  const auto mapping = map_object({9000, 9001, false}, std::vector{view(10, bulk_count)}, names);
  const auto& object = *mapping.objects.at(0).definition;
  CHECK(object.name == "Probe [x-y]");
  CHECK(object.help == "A probe. In this system's language: Sonde.");
  CHECK(object.counters[0].name == "Reads");
  CHECK(object.counters[0].help == "Counts reads. In this system's language: Lesevorgänge.");
}

TEST_CASE("counters of one name in one object are all kept") {
  Names names;
  names.english = NameTable::from_lines("10\tBytes\n12\tBytes\n");
  const auto mapping =
      map_object({9000, 9001, false}, std::vector{view(10, bulk_count), view(12, bulk_count)}, names);
  const auto& object = *mapping.objects.at(0).definition;
  CHECK(object.counters[0].name == "Bytes");
  CHECK(object.counters[1].name == "Bytes #2");
  CHECK(object.counters[0].unit == "bytes/s");
}

TEST_CASE("an object with more counters than one of ours holds becomes several") {
  std::vector<CounterView> counters;
  for (std::uint32_t index = 0; index < 100; ++index) {
    counters.push_back(view(10 + 4 * index, average_bulk));
    counters.push_back(view(12 + 4 * index, average_base, 4));
  }
  const auto mapping = map_object({9000, 9001, true}, counters, Names());
  REQUIRE(mapping.objects.size() == 4);
  std::size_t count = 0;
  for (const auto& part : mapping.objects) {
    CHECK(why_invalid(*part.definition).empty());
    count += part.definition->counters.size();
  }
  CHECK(count == 100);
  CHECK(mapping.objects[1].definition->name == "#9000 2");
}

TEST_CASE("a counter of an unknown type is kept raw") {
  const auto mapping =
      map_object({9000, 9001, false}, std::vector{view(10, CounterType{0x00020400}, 4)}, Names());
  REQUIRE(mapping.objects.size() == 1);
  CHECK(mapping.objects[0].definition->counters[0].type == CounterType{0x00020400});
}

TEST_CASE("units follow type and name") {
  CHECK(unit_of(bulk_count, "Bytes Received/sec") == "bytes/s");
  CHECK(unit_of(counter, "Reads/sec") == "1/s");
  CHECK(unit_of(large_raw_count, "Available Bytes") == "bytes");
  CHECK(unit_of(raw_count, "Available MBytes").empty());
  CHECK(unit_of(timer_100ns, "% Processor Time") == "%");
  CHECK(unit_of(average_timer, "Avg. Disk sec/Read") == "s");
}

}  // namespace
}  // namespace countertop::perflib
