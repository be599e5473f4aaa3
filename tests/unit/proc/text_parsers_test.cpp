#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "collectors/core/object.hpp"
#include "collectors/proc/instance_names.hpp"
#include "collectors/proc/keyed_text.hpp"
#include "collectors/proc/object_table.hpp"
#include "collectors/proc/pressure_part.hpp"
#include "collectors/proc/stat_parser.hpp"
#include "collectors/proc/text_scan.hpp"
#include "tests/support/fake_proc_root.hpp"

using namespace countertop;
using namespace countertop::proc;
using countertop::test::FakeProcRoot;

namespace {
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
}

TEST_CASE("Numbers of the kernel: signed, unsigned to 64 bits, or none", "[parse]") {
  CHECK(parse_number("0") == 0);
  CHECK(parse_number("-17") == -17);
  CHECK(parse_number("9223372036854775807") == kMax);
  CHECK(parse_number("18446744073709551615") == -1);   // kept bit for bit
  CHECK(parse_number("9223372036854775808") == kMax);  // would be the word for "no value"
  for (const char* text : {"", "-", "+1", "1x", "0x10", " 1", "1 ", "18446744073709551616",
                           "99999999999999999999", "-9223372036854775808", "\xb2"})
    CHECK_FALSE(parse_number(text).has_value());
}

TEST_CASE("Hundredths: further digits are dropped, missing ones are zero", "[parse]") {
  CHECK(parse_hundredths("12.34") == 1234);
  CHECK(parse_hundredths("12.3") == 1230);
  CHECK(parse_hundredths("12") == 1200);
  CHECK(parse_hundredths("0.019") == 1);
  CHECK(parse_hundredths("92233720368547757.99") == 9223372036854775799);
  CHECK_FALSE(parse_hundredths("92233720368547758.00").has_value());
  for (const char* text : {"", ".", "1.", ".5", "1.x", "-1.00", "1.0.0", "1e5"})
    CHECK_FALSE(parse_hundredths(text).has_value());
}

TEST_CASE("Lines: one without its newline was cut", "[parse]") {
  std::string_view text = "a b\nc";
  CHECK(take_whole_line(text) == "a b");
  CHECK_FALSE(take_whole_line(text).has_value());
  CHECK(text.empty());
}

TEST_CASE("Named numbers: colons, units and lines of another form", "[parse]") {
  std::vector<KeyValue> pairs;
  parse_key_values("MemTotal:  24 kB\nActive(anon): 5 kB\npgfault 7\n\nword\n x y\nHuge: -1\ncut: 12", pairs);
  REQUIRE(pairs.size() == 4);
  CHECK(pairs[0].key == "MemTotal");
  CHECK(pairs[0].value == 24);
  CHECK(pairs[1].key == "Active(anon)");
  CHECK(pairs[2].key == "pgfault");
  CHECK(pairs[3].value == -1);
}

TEST_CASE("Protocol tables: names over numbers, section by section", "[parse]") {
  std::vector<KeyValue> pairs;
  parse_protocol_table("Tcp: A B C\nTcp: 1 x 3\nUdp: A\nUdp: 9\n", "Tcp", pairs);
  REQUIRE(pairs.size() == 2);
  CHECK(pairs[1].key == "C");
  CHECK(pairs[1].value == 3);
  parse_protocol_table("TcpExt: A\nTcpExt: 5\n", "Tcp", pairs);
  CHECK(pairs.empty());
  parse_protocol_table("Tcp: A B\nUdp: 1 2\nTcp: 1 2\n", "Tcp", pairs);  // torn apart
  CHECK(pairs.empty());
  parse_protocol_table("Tcp: A B\nTcp: 1\n", "Tcp", pairs);  // fewer numbers than names
  REQUIRE(pairs.size() == 1);
}

TEST_CASE("A name that comes by zones is summed, unless the sum is there as well", "[parse]") {
  const CounterRow rows[] = {
      {"a/s", "1/s", CounterType::bulk_count, "allocstall", "", 1, "Source: "},
      {"b/s", "1/s", CounterType::bulk_count, "pgscan_direct", "", 1, "Source: "},
  };
  const ObjectHandle object = make_object("x", "x", Instances::one, {}, rows);
  KeyedRow row(*object);
  std::vector<KeyValue> pairs;
  parse_key_values(
      "allocstall_dma 1\nallocstall_normal 20\nallocstall_movable 300\npgscan_direct_throttle 7\n", pairs);
  row.fill_summing_zones(pairs);
  CHECK(row.get("allocstall") == 321);
  CHECK(row.get("pgscan_direct") == kNoValue);
  row.clear();
  parse_key_values("pgscan_direct_dma 1\npgscan_direct 50\n", pairs);
  row.fill_summing_zones(pairs);
  CHECK(row.get("pgscan_direct") == 50);
}

TEST_CASE("An object's table: fields come from the rows, rules from how they are used") {
  constexpr FieldRow kFixed[] = {{"first", Backward::floor, 0, 9}};
  const CounterRow rows[] = {
      {"now", "", CounterType::large_raw_count, "level - first", "", 1, "Source: "},
      {"a/s", "1/s", CounterType::bulk_count, "sum of it", "", 1, "Source: "},
      {"share", "%", CounterType::sample_fraction, "first", "sum of it + level", 1, "Source: "},
  };
  const ObjectHandle object = make_object("x", "x", Instances::many, kFixed, rows);
  REQUIRE(object->fields.size() == 3);
  CHECK(object->fields[0].backward == Backward::floor);
  CHECK(object->fields[0].max_per_second == 9);
  CHECK(object->fields[1].name == "level");
  CHECK(object->fields[1].backward == Backward::reset);  // a counter of two samples uses it too
  CHECK(object->fields[2].name == "sum of it");
  CHECK(object->counters[0].value == std::vector<Term>{{1, 1}, {0, -1}});
  CHECK(object->counters[2].base == std::vector<Term>{{2, 1}, {1, 1}});
}

TEST_CASE("CPU lines that break the format are counted and left out", "[parse]") {
  StatFile stat;
  parse_stat(
      "cpu 1 2 3 4\ncpu0 1 2 3\ncpux 1 2 3 4\ncpu5 1 2 3 4\ncpu2 1 2 3 4\ncpu7 1 2 q 4\ncpu-3 1 2 3 4\ncpu9 "
      "1 2 3 4",
      stat);
  REQUIRE(stat.cpus.size() == 2);
  CHECK(stat.cpus[1].number == 5);
  CHECK(stat.malformed == 5);
}

TEST_CASE("Stat: every cut of the text gives whole rows only", "[parse]") {
  const FakeProcRoot files{"two_cpus"};
  const std::string& text = files.text("proc/stat");
  StatFile whole, part;
  parse_stat(text, whole);
  REQUIRE(whole.cpus.size() == 3);
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string cut = text.substr(0, length);
    parse_stat(cut, part);
    for (std::size_t i = 0; i < part.cpus.size(); ++i) REQUIRE(part.cpus[i].ticks == whole.cpus[i].ticks);
    REQUIRE((part.context_switches == kNoValue || part.context_switches == whole.context_switches));
    REQUIRE((part.forks == kNoValue || part.forks == whole.forks));
  }
}

TEST_CASE("Pressure lines without a total are none", "[parse]") {
  CHECK_FALSE(parse_pressure("some avg10=1.00\n").some.has_value());
  CHECK_FALSE(parse_pressure("some avg10=1.00 total=12").some.has_value());  // cut
  const auto file = parse_pressure("some total=12 avg10=x\nfull avg10=0.50 total=7\nmore total=1\n");
  REQUIRE(file.some.has_value());
  CHECK(file.some->total_us == 12);
  CHECK(file.some->average_10s == kNoValue);
  CHECK(file.full->average_10s == 50);
}

TEST_CASE("Names of instances are made unique without touching those that are") {
  std::vector<InstanceName> names = {{"a", false}, {"a#2", false}, {"a", false}, {"b", false}, {"a", false}};
  make_unique(names);
  CHECK(names[0].name == "a");
  CHECK(names[1].name == "a#2");
  CHECK(names[2].name == "a#3");
  CHECK(names[3].name == "b");
  CHECK(names[4].name == "a#4");
}
