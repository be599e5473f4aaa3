#include "server/history/definition_json.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace countertop;
using namespace countertop::history;

namespace {

ObjectDefinition disk() {
  ObjectDefinition object;
  object.name = "disk";
  object.help = "Disks \xff and \"partitions\".";
  object.instanced = object.grouped = true;
  object.fields = {{"reads", Backward::reset, 0, 0},
                   {"idle", Backward::floor_small, 20, 400.5},
                   {"busy ms", Backward::wrap_32bit, 0, 1e6}};
  object.counters = {
      {"reads/s", "Reads.", "1/s", CounterType::bulk_count, {{0, 1}}, {}, 1},
      {"share", "A share.", "%", CounterType::sample_fraction, {{1, 1}, {2, -1}}, {{0, 1}, {2, 1}}, 0.01}};
  object.notable = NotableRule{5, {{0, 1}}, 10};
  return object;
}

std::string changed(std::string_view from, std::string_view to) {
  std::string text = definition_to_json(disk());
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("A definition read back is the one that was written") {
  const std::string text = definition_to_json(disk());
  const auto read = definition_from_json(text);
  REQUIRE(read);
  CHECK(definition_to_json(**read) == text);
  CHECK((*read)->fields[1].step_back_tolerance == 20);
  CHECK((*read)->fields[1].max_per_second == 400.5);
  CHECK((*read)->fields[2].backward == Backward::wrap_32bit);
  CHECK((*read)->counters[1].value == std::vector<Term>{{1, 1}, {2, -1}});
  CHECK((*read)->counters[1].base == std::vector<Term>{{0, 1}, {2, 1}});
  CHECK((*read)->counters[1].scale == 0.01);
  CHECK((*read)->notable->min_work == 10);
}

TEST_CASE("A definition cut short anywhere is malformed", "[parse]") {
  const std::string text = definition_to_json(disk());
  for (std::size_t size = 0; size < text.size(); ++size) {
    CAPTURE(size);
    const auto read = definition_from_json(std::string_view(text).substr(0, size));
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ErrorCode::malformed);
  }
}

TEST_CASE("Terms of a definition that name no field are malformed, however large", "[parse]") {
  for (const char* term : {"0", "4", "-4", "65", "9223372036854775807", "-9223372036854775808",
                           "18446744073709551615", "1.0", "1e300", "\"1\"", "null", "[1]"}) {
    CAPTURE(term);
    CHECK_FALSE(definition_from_json(changed("[2,-3]", "[" + std::string(term) + "]")));
  }
}

TEST_CASE("Numbers of a definition must be whole and in their range", "[parse]") {
  CHECK_FALSE(definition_from_json(changed("\"backward\":4", "\"backward\":5")));
  CHECK_FALSE(definition_from_json(changed("\"backward\":4", "\"backward\":1e300")));
  CHECK_FALSE(definition_from_json(changed("\"tolerance\":20", "\"tolerance\":-1")));
  CHECK_FALSE(definition_from_json(changed("\"tolerance\":20", "\"tolerance\":1e30")));
  CHECK_FALSE(definition_from_json(changed("\"min_ticks\":5", "\"min_ticks\":4294967296")));
  CHECK_FALSE(definition_from_json(changed("\"min_work\":10", "\"min_work\":0.5")));
  CHECK_FALSE(definition_from_json(changed("\"scale\":0.01", "\"scale\":1e999")));
  CHECK_FALSE(definition_from_json(std::string(100'000, '[')));
}
