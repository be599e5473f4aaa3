#include "collectors/perflib/name_table.hpp"

#include <catch2/catch_test_macros.hpp>

#include "collectors/core/counter_type.hpp"
#include "tests/support/perflib_encoder.hpp"

namespace countertop::perflib {
namespace {

TEST_CASE("a multi string gives index and text; the upper bound of the system's indexes is no name") {
  const auto bytes = test::encode_names({u"1", u"1847", u"2", u"System", u"238", u"Processor"});
  const NameTable table = NameTable::from_multi_string(bytes);
  CHECK(table.text_of(238) == "Processor");
  CHECK(table.text_of(1).empty());
  CHECK(table.text_of(4).empty());
  CHECK(table.size() == 2);
}

TEST_CASE("one name has several indexes") {
  const NameTable table = NameTable::from_lines("388\tBytes Received\n264\tBytes Received\n10\tOther\n");
  CHECK(table.find("Bytes Received") == std::vector<std::uint32_t>{264, 388});
  CHECK(table.find("bytes received").empty());
}

TEST_CASE("tables that are cut off, unsorted, of odd count or hold garbage give what is whole") {
  SECTION("unsorted, with an empty index and an empty text") {
    const auto bytes =
        test::encode_names({u"238", u"Processor", u"", u"Lost", u"x", u"2", u"System", u"6", u""});
    const NameTable table = NameTable::from_multi_string(bytes);
    CHECK(table.text_of(238) == "Processor");
    CHECK(table.text_of(2) == "System");
    CHECK(table.text_of(6).empty());
    CHECK(table.skipped() > 0);
  }
  SECTION("odd count") {
    const NameTable table = NameTable::from_multi_string(test::encode_names({u"2", u"System", u"4"}));
    CHECK(table.size() == 1);
  }
  SECTION("every truncation") {
    const auto bytes = test::encode_names({u"2", u"System", u"4", u"Memory"});
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const std::vector<std::byte> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      const NameTable table = NameTable::from_multi_string(part);
      CHECK((table.text_of(2).empty() || table.text_of(2) == "System"));
      CHECK((table.text_of(4).empty() || table.text_of(4) == "Memory"));
    }
  }
  SECTION("empty") { CHECK(NameTable::from_multi_string({}).size() == 0); }
  SECTION("the first of two texts for an index wins") {
    const NameTable table = NameTable::from_lines("6\tfirst\n6\tsecond\n");
    CHECK(table.text_of(6) == "first");
    CHECK(table.skipped() == 1);
  }
  SECTION("an index beyond 32 bits is none") {
    CHECK(NameTable::from_lines("99999999999\tx\n-4\ty\n 4\tz\n").size() == 0);
  }
}

TEST_CASE("a text dump may have a byte order mark and carriage returns, and is written back alike") {
  const NameTable table = NameTable::from_lines(
      "\xEF\xBB\xBF"
      "2\tSystem\r\n\r\n4\tArbeitsspeicher\r\nno tab\r\n");
  CHECK(table.to_lines() == "2\tSystem\n4\tArbeitsspeicher\n");
  CHECK(table.skipped() == 1);
}

TEST_CASE("both kinds of file are told apart by themselves") {
  const std::string lines = "2\tSystem\n";
  CHECK(NameTable::from_file(std::as_bytes(std::span(lines))).text_of(2) == "System");
  CHECK(NameTable::from_file(test::encode_names({u"2", u"System"})).text_of(2) == "System");
}

TEST_CASE("a counter is found by English name, local name or index, inside its object only") {
  Names names;
  names.english = NameTable::from_lines("8\tProbe\n264\tBytes Received\n388\tBytes Received\n10\tReads\n");
  names.local = NameTable::from_lines("8\tSonde\n264\tEmpfangene Bytes\n10\t読み取り\n");
  test::EncodedBlock source;
  constexpr auto kRaw = static_cast<std::uint32_t>(CounterType::raw_count);
  source.objects.push_back({8, {{388, kRaw, 4}, {10, kRaw, 4}}, {{u"", {1, 2}}}, false});
  const auto bytes = test::encode_block(source);
  DataBlock block;
  REQUIRE(parse_data_block(bytes, block));
  const auto index_of = [&](std::string_view text) {
    const auto* counter = find_counter(block, block.objects[0], names, text);
    return counter == nullptr ? 0 : counter->name_index;
  };
  CHECK(index_of("Bytes Received") == 388);
  CHECK(index_of("読み取り") == 10);
  CHECK(index_of("10") == 10);
  CHECK(index_of("Empfangene Bytes") == 0);  // 264 belongs to another object
  CHECK(index_of("264") == 0);
  CHECK(index_of("") == 0);
}

TEST_CASE("an English table that holds Russian: fixed objects keep their English names, and it is noticed") {
  Names names;
  names.english = NameTable::from_lines("2\tСистема\n238\tПроцессор\n1000\tЧто-то\n");
  CHECK(names.english_is_foreign());
  CHECK(names.name_of(238) == "Processor");
  CHECK(names.name_of(2) == "System");
  CHECK(names.name_of(1000) == "Что-то");
  CHECK(names.is_called(238, "Процессор"));
  CHECK(names.is_called(238, "Processor"));
}

TEST_CASE("without any table fixed objects have names and the others their index") {
  const Names names;
  CHECK(names.name_of(230) == "Process");
  CHECK(names.name_of(4000) == "#4000");
  CHECK_FALSE(names.english_is_foreign());
}

}  // namespace
}  // namespace countertop::perflib
