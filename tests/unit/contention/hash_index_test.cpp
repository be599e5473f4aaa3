#include "collectors/contention/hash_index.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

using namespace countertop::contention;

TEST_CASE("The index finds what was inserted and not erased, however hashes collide", "[contention]") {
  std::mt19937_64 random(7);
  HashIndex index;
  std::map<std::uint32_t, std::uint64_t> present;  // number -> hash
  for (std::uint32_t number = 0; number < 20'000; ++number) {
    const std::uint64_t hash = random() % 64;  // many collide on purpose
    if (number % 3 == 2 && !present.empty()) {
      const auto victim = present.lower_bound(static_cast<std::uint32_t>(random() % number));
      if (victim != present.end()) {
        index.erase(victim->second, victim->first);
        present.erase(victim);
      }
    }
    if (present.size() < 200) {
      index.insert(hash, number);
      present.emplace(number, hash);
    }
  }
  CHECK(index.size() == present.size());
  for (const auto& [number, hash] : present) {
    CHECK(index.find(hash, [&](std::uint32_t candidate) { return candidate == number; }) == number);
  }
  CHECK(index.find(3, [](std::uint32_t) { return false; }) == HashIndex::kNotFound);
  index.erase(3, 1'000'000);
  CHECK(index.size() == present.size());
  index.clear();
  CHECK(index.find(3, [](std::uint32_t) { return true; }) == HashIndex::kNotFound);
}
