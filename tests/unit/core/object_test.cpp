#include "collectors/core/object.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>

#include "tests/unit/core/cook_fixture.hpp"

namespace countertop {
namespace {

using Catch::Matchers::ContainsSubstring;

ObjectDefinition sound() { return test::object_of(CounterType::sample_fraction); }

TEST_CASE("A sound definition is accepted and its counters are found by name", "[object]") {
  const ObjectDefinition object = sound();
  CHECK(why_invalid(object).empty());
  REQUIRE(object.find_counter("counter") != nullptr);
  CHECK(object.find_counter("counter")->type == CounterType::sample_fraction);
  CHECK(object.find_counter("Counter") == nullptr);
}

TEST_CASE("A definition that would break cooking or paths is refused, with the reason", "[object]") {
  const auto why = [](auto&& change) {
    ObjectDefinition object = sound();
    change(object);
    return why_invalid(object);
  };
  using O = ObjectDefinition;
  CHECK_THAT(why([](O& o) { o.name.clear(); }), ContainsSubstring("no name"));
  CHECK_THAT(why([](O& o) { o.name = "a/b"; }), ContainsSubstring("holds one of"));
  CHECK_THAT(why([](O& o) { o.name = "a*"; }), ContainsSubstring("holds one of"));
  CHECK_THAT(why([](O& o) { o.grouped = true; }), ContainsSubstring("grouped"));
  CHECK_THAT(why([](O& o) { o.fields.clear(); }), ContainsSubstring("no fields"));
  CHECK_THAT(why([](O& o) { o.fields[1].name = o.fields[0].name; }), ContainsSubstring("two fields"));
  CHECK_THAT(why([](O& o) { o.fields[0].step_back_tolerance = -1; }),
             ContainsSubstring("negative tolerance"));
  CHECK_THAT(why([](O& o) { o.fields[0].max_per_second = -1; }), ContainsSubstring("bound"));
  CHECK_THAT(why([](O& o) { o.counters.push_back(o.counters[0]); }), ContainsSubstring("two counters"));
  CHECK_THAT(why([](O& o) { o.counters[0].name = "a\nb"; }), ContainsSubstring("control characters"));
  CHECK_THAT(why([](O& o) { o.counters[0].value[0].field = 2; }),
             ContainsSubstring("field 2, which does not exist"));
  CHECK_THAT(why([](O& o) { o.counters[0].base[0].field = 9; }), ContainsSubstring("field 9"));
  CHECK_THAT(why([](O& o) { o.counters[0].value[0].sign = 2; }), ContainsSubstring("sign"));
  CHECK_THAT(why([](O& o) { o.counters[0].value.clear(); }), ContainsSubstring("has no value"));
  CHECK_THAT(why([](O& o) { o.counters[0].base.clear(); }), ContainsSubstring("needs a base"));
  CHECK_THAT(why([](O& o) { o.counters[0].type = CounterType::bulk_count; }),
             ContainsSubstring("does not use"));
  CHECK_THAT(why([](O& o) { o.counters[0].scale = std::numeric_limits<double>::infinity(); }),
             ContainsSubstring("scale"));
  CHECK_THAT(why([](O& o) { o.notable = NotableRule{1, {{7, 1}}, 1}; }), ContainsSubstring("notable"));
  CHECK_THAT(why([](O& o) {
               for (int i = 0; i < 70; ++i)
                 o.fields.push_back({"f" + std::to_string(i), Backward::gauge, 0, 0});
             }),
             ContainsSubstring("more than 64 fields"));
}

TEST_CASE("A counter of an unknown type is kept raw, so its definition is sound", "[object]") {
  ObjectDefinition object = sound();
  object.counters[0].type = static_cast<CounterType>(0x12345678);
  object.counters[0].base.clear();
  CHECK(why_invalid(object).empty());
}

}  // namespace
}  // namespace countertop
