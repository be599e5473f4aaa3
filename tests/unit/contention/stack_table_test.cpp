#include "collectors/contention/stack_table.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <vector>

using namespace countertop::contention;

namespace {

using Addresses = std::vector<std::uint64_t>;

bool holds(const StackTable& table, StackId id, const Addresses& wanted) {
  return std::ranges::equal(table.frames(id), wanted);
}

}  // namespace

TEST_CASE("Equal stacks get one number, different ones different numbers", "[contention]") {
  StackTable table;
  const StackId first = table.intern(Addresses{1, 2, 3});
  const StackId second = table.intern(Addresses{1, 2});
  CHECK(first != kNoStack);
  CHECK(second != first);
  CHECK(table.intern(Addresses{1, 2, 3}) == first);
  CHECK(holds(table, first, {1, 2, 3}));
  CHECK(holds(table, second, {1, 2}));
  CHECK(table.intern({}) == kNoStack);
  CHECK(table.frames(kNoStack).empty());
  CHECK(table.frames(12'345).empty());
  CHECK(table.size() == 2);
}

TEST_CASE("A full stack table counts what it refuses and still finds what it holds", "[contention]") {
  StackTable few_stacks(2, 100);
  const StackId known = few_stacks.intern(Addresses{1});
  few_stacks.intern(Addresses{2});
  CHECK(few_stacks.intern(Addresses{3}) == kNoStack);
  CHECK(few_stacks.refused() == 1);
  CHECK(few_stacks.intern(Addresses{1}) == known);
  CHECK(few_stacks.refused() == 1);

  StackTable few_frames(100, 5);
  CHECK(few_frames.intern(Addresses{1, 2, 3}) != kNoStack);
  CHECK(few_frames.intern(Addresses{4, 5, 6}) == kNoStack);
  CHECK(few_frames.intern(Addresses{4, 5}) != kNoStack);
  CHECK(few_frames.refused() == 1);
}

TEST_CASE("A stack deeper than the limit keeps its innermost frames", "[contention]") {
  Addresses deep(StackTable::kMaxDepth + 10);
  for (std::size_t i = 0; i < deep.size(); ++i) deep[i] = i + 1;
  StackTable table;
  const StackId id = table.intern(deep);
  REQUIRE(table.frames(id).size() == StackTable::kMaxDepth);
  CHECK(table.frames(id).front() == 1);
  CHECK(table.frames(id).back() == StackTable::kMaxDepth);
}
