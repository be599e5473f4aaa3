#include "collectors/perflib/data_block.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstring>

#include "collectors/core/counter_type.hpp"
#include "collectors/perflib/wide_text.hpp"
#include "tests/support/perflib_encoder.hpp"

namespace countertop::perflib {
namespace {

constexpr auto kRaw = static_cast<std::uint32_t>(CounterType::raw_count);
constexpr auto kBulk = static_cast<std::uint32_t>(CounterType::bulk_count);

test::EncodedBlock three_objects() {
  test::EncodedBlock block;
  block.perf_time = 1234;
  block.perf_frequency = 2725536;
  block.perf_time_100ns = 130058022178447225;
  block.objects.push_back({2, {{10, kRaw, 4}, {12, kBulk, 8}}, {{u"", {7, 1LL << 40}}}, false});
  block.objects.push_back(
      {236, {{20, kRaw, 4}}, {{u"C:", {1}, 234, 1}, {u"D:", {2}, 234, 0}, {u"\u65e5\u672c", {3}, 0, 0, 42}}});
  block.objects.push_back({234, {{30, kRaw, 4}}, {{u"0 C:", {4}}, {u"1 D:", {5}}}});
  return block;
}

DataBlock parse(const std::vector<std::byte>& bytes) {
  DataBlock block;
  REQUIRE(parse_data_block(bytes, block));
  return block;
}

TEST_CASE("a block gives its clocks, objects, counters, instances and raw values") {
  const auto bytes = test::encode_block(three_objects());
  const DataBlock block = parse(bytes);
  CHECK(block.dropped.empty());
  CHECK(block.perf_time == 1234);
  CHECK(block.perf_frequency == 2725536);
  CHECK(block.perf_time_100ns == 130058022178447225);
  CHECK(block.wall_ms == 1796379630400);  // 2026-12-04T10:20:30.400Z
  CHECK(utf8_from_utf16(block.system_name) == "WIN-TEST");
  REQUIRE(block.objects.size() == 3);

  const ObjectView& single = block.objects[0];
  CHECK(single.name_index == 2);
  CHECK_FALSE(single.instanced);
  REQUIRE(single.instance_count == 1);
  const auto& row = block.instances_of(single).front();
  CHECK(read_value(block.counters_of(single)[0], row) == 7);
  CHECK(read_value(block.counters_of(single)[1], row) == 1LL << 40);

  const ObjectView& disks = block.objects[1];
  REQUIRE(disks.instance_count == 3);
  const auto rows = block.instances_of(disks);
  CHECK(instance_text(rows[2].name, 0) == "日本");
  CHECK(rows[2].unique_id == 42);
  CHECK(rows[0].unique_id == -1);
  REQUIRE(block.find_parent(rows[0]) != nullptr);
  CHECK(instance_text(block.find_parent(rows[0])->name, 0) == "1 D:");
  CHECK(block.find_parent(rows[2]) == nullptr);
}

TEST_CASE("an object that can have instances and has none has no counter block either") {
  test::EncodedBlock source = three_objects();
  source.objects[1].instances.clear();
  const auto bytes = test::encode_block(source);
  const DataBlock block = parse(bytes);
  REQUIRE(block.objects.size() == 3);
  CHECK(block.dropped.empty());
  CHECK(block.objects[1].instanced);
  CHECK(block.objects[1].instance_count == 0);
  CHECK(block.objects[2].name_index == 234);
}

TEST_CASE("structures that are longer than winperf.h knows are stepped over") {
  test::EncodedBlock source = three_objects();
  for (auto& object : source.objects) object.extra_bytes = 16;
  const auto bytes = test::encode_block(source);
  const DataBlock block = parse(bytes);
  REQUIRE(block.objects.size() == 3);
  CHECK(read_value(block.counters_of(block.objects[2])[0], block.instances_of(block.objects[2])[1]) == 5);
  CHECK(instance_text(block.instances_of(block.objects[2])[1].name, 0) == "1 D:");
}

TEST_CASE("a value is read by its size, whatever its type says") {
  test::EncodedBlock source;
  source.objects.push_back(
      {8, {{10, kRaw, 8}, {12, kBulk, 4}, {14, kRaw, 2}}, {{u"", {1LL << 33, 9, 1}}}, false});
  const auto bytes = test::encode_block(source);
  const DataBlock block = parse(bytes);
  const auto& row = block.instances.front();
  CHECK(read_value(block.counters[0], row) == 1LL << 33);
  CHECK(read_value(block.counters[1], row) == 9);
  CHECK(read_value(block.counters[2], row) == std::nullopt);
}

TEST_CASE("a counter that points beyond its block is not readable, the others are") {
  test::EncodedBlock source = three_objects();
  auto bytes = test::encode_block(source);
  const std::size_t first_counter = test::object_offsets(source)[0] + 64;
  test::put_u32(bytes, first_counter + 36, 0xFFFF'FFF0);
  const DataBlock block = parse(bytes);
  const auto& row = block.instances.front();
  CHECK(read_value(block.counters[0], row) == std::nullopt);
  CHECK(read_value(block.counters[1], row) == 1LL << 40);
}

TEST_CASE("a malformed object is dropped with its offset, the rest stays") {
  const test::EncodedBlock source = three_objects();
  const std::size_t middle = test::object_offsets(source)[1];
  const auto with = [&](std::size_t offset, std::uint32_t value) {
    auto bytes = test::encode_block(source);
    test::put_u32(bytes, middle + offset, value);
    return bytes;
  };
  struct Fault {
    const char* what;
    std::size_t offset;
    std::uint32_t value;
  };
  const Fault fault = GENERATE_COPY(
      Fault{"definition beyond the object", 4, 0x7FFF'FFFF}, Fault{"header beyond the definition", 8, 500},
      Fault{"header too short", 8, 12}, Fault{"a million counters", 32, 1'000'000},
      Fault{"more instances than there are", 40, 4}, Fault{"two thousand million instances", 40, 0x7FFF'FFFF},
      Fault{"instances below -1", 40, 0xFFFF'FFFE}, Fault{"counter definition of length 0", 64, 0},
      Fault{"instance of length 0", 104, 0}, Fault{"instance of length 23", 104, 23},
      Fault{"name beyond the instance", 104 + 16, 4000}, Fault{"name of half a letter", 104 + 20, 5});
  CAPTURE(fault.what);
  const auto bytes = with(fault.offset, fault.value);
  const DataBlock block = parse(bytes);
  REQUIRE(block.objects.size() == 2);
  CHECK(block.objects[0].name_index == 2);
  CHECK(block.objects[1].name_index == 234);
  REQUIRE(block.dropped.size() == 1);
  CHECK(block.dropped[0].offset == middle);
  CHECK(block.dropped[0].reason.find("object 236") == 0);
  CHECK(read_value(block.counters_of(block.objects[1])[0], block.instances_of(block.objects[1])[0]) == 4);
}

TEST_CASE("an object whose length is wrong ends the walk; whole objects before it stay") {
  const test::EncodedBlock source = three_objects();
  auto bytes = test::encode_block(source);
  const std::uint32_t length = GENERATE(0U, 8U, 63U, 0x7FFF'FFFFU, 0xFFFF'FFFFU);
  test::put_u32(bytes, test::object_offsets(source)[1], length);
  const DataBlock block = parse(bytes);
  CHECK(block.objects.size() == 1);
  REQUIRE(block.dropped.size() == 1);
  CHECK(block.dropped[0].offset == test::object_offsets(source)[1]);
  CHECK(block.dropped[0].reason.find("2 of 3 objects are lost") != std::string::npos);
}

TEST_CASE("a header that claims more objects than there are loses only those") {
  test::EncodedBlock source = three_objects();
  source.object_count = 0xFFFF'FFFF;
  const auto bytes = test::encode_block(source);
  const DataBlock block = parse(bytes);
  CHECK(block.objects.size() == 3);
  REQUIRE(block.dropped.size() == 1);
}

TEST_CASE("every truncation is either refused or gives whole objects only") {
  const auto bytes = test::encode_block(three_objects());
  const auto offsets = test::object_offsets(three_objects());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    // A buffer of its own, so that a sanitizer sees a read beyond it.
    const std::vector<std::byte> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    DataBlock block;
    const auto parsed = parse_data_block(part, block);
    if (size < offsets[0]) {
      CHECK_FALSE(parsed);
      continue;
    }
    REQUIRE(parsed);
    const std::size_t whole = (size >= offsets[1] ? 1U : 0U) + (size >= offsets[2] ? 1U : 0U);
    CHECK(block.objects.size() == whole);
    CHECK_FALSE(block.dropped.empty());
  }
}

TEST_CASE("what is no block is refused") {
  DataBlock block;
  CHECK(parse_data_block({}, block).error().code == ErrorCode::malformed);
  auto bytes = test::encode_block(three_objects());
  SECTION("another signature") { bytes[0] = std::byte{'Q'}; }
  SECTION("big-endian") { test::put_u32(bytes, 8, 0); }
  SECTION("header beyond the bytes") { test::put_u32(bytes, 24, 1'000'000); }
  SECTION("header too short") { test::put_u32(bytes, 24, 80); }
  SECTION("total below the header") { test::put_u32(bytes, 20, 90); }
  CHECK(parse_data_block(bytes, block).error().code == ErrorCode::malformed);
  CHECK(block.objects.empty());
}

TEST_CASE("instance names of a code page are bytes") {
  test::EncodedBlock source;
  test::EncodedInstance instance{u"", {1}};
  instance.ansi_name =
      "Dr\xFC"
      "cker \x80";
  source.objects.push_back({8, {{10, kRaw, 4}}, {instance}, true, 1252});
  const auto bytes = test::encode_block(source);
  const DataBlock block = parse(bytes);
  CHECK(instance_text(block.instances[0].name, block.objects[0].code_page) == "Drücker €");
}

TEST_CASE("names are valid UTF-8 whatever the provider writes") {
  const auto utf8 = [](const std::u16string& text) {
    return instance_text(std::as_bytes(std::span(text.data(), text.size())), 0);
  };
  CHECK(utf8(u"a\xD800") == "a\uFFFD");
  CHECK(utf8(std::u16string(u"\xDC00z")) == "\uFFFDz");
  CHECK(utf8(u"\U0001F600") == "\U0001F600");
  CHECK(utf8(u"a\x1b[31m") == "a\uFFFD[31m");
}

}  // namespace
}  // namespace countertop::perflib
