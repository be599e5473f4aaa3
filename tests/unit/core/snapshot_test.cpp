#include "collectors/core/snapshot.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>

#include "collectors/core/collector.hpp"
#include "tests/unit/core/cook_fixture.hpp"

namespace countertop {
namespace {

TEST_CASE("Every kind of mark has its own name, which reads back", "[snapshot]") {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(MarkKind::note); ++i) {
    const auto kind = static_cast<MarkKind>(i);
    names.insert(to_string(kind));
    CHECK(mark_kind_from(to_string(kind)) == kind);
  }
  CHECK(names.size() == static_cast<std::size_t>(MarkKind::note) + 1);
  CHECK_FALSE(mark_kind_from("Suspend").has_value());
}

TEST_CASE("A row of a snapshot is the fields of one instance", "[snapshot]") {
  Snapshot snapshot;
  snapshot.object = std::make_shared<ObjectDefinition>(test::object_of(CounterType::sample_fraction));
  snapshot.instances = {{"a", false}, {"b", false}};
  snapshot.values = {1, 2, 3, 4};
  CHECK(snapshot.row(1).size() == 2);
  CHECK(snapshot.row(1)[0] == 3);
}

TEST_CASE("Every state of a collector has its own name", "[snapshot]") {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(CollectorState::off); ++i)
    names.insert(to_string(static_cast<CollectorState>(i)));
  CHECK(names.size() == static_cast<std::size_t>(CollectorState::off) + 1);
}

}  // namespace
}  // namespace countertop
