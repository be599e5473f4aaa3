#include "server/query/suggest.hpp"

#include <catch2/catch_test_macros.hpp>

namespace countertop::query {
namespace {

const std::vector<std::string> kObjects{"cgroup", "cpu",     "disk",   "filesystem",
                                        "memory", "network", "process"};

TEST_CASE("The nearest known name is found for slips of the finger", "[suggest]") {
  CHECK(nearest_names("cpuu", kObjects).front() == "cpu");
  CHECK(nearest_names("proces", kObjects).front() == "process");
  CHECK(nearest_names("Memory", kObjects).front() == "memory");
  CHECK(nearest_names("ntework", kObjects).front() == "network");
  CHECK(nearest_names("net", kObjects).front() == "network");
  CHECK(nearest_names("temperature", kObjects).empty());
  CHECK(nearest_names("x", kObjects).empty());
  CHECK(nearest_names("cpuu", std::vector<std::string>{}).empty());
}

TEST_CASE("Distance counts swaps once, ignores case, and stops at its limit", "[suggest]") {
  CHECK(edit_distance("abc", "acb", 5) == 1);
  CHECK(edit_distance("ABC", "abc", 5) == 0);
  CHECK(edit_distance("kitten", "sitting", 5) == 3);
  CHECK(edit_distance("", "abc", 5) == 3);
  CHECK(edit_distance("aaaaaaaa", "bbbbbbbb", 3) == 4);
}

TEST_CASE("Suggestions read as a question", "[suggest]") {
  CHECK(did_you_mean(std::vector<std::string>{}).empty());
  CHECK(did_you_mean(std::vector<std::string>{"cpu"}) == "did you mean 'cpu'?");
  CHECK(did_you_mean(std::vector<std::string>{"a", "b", "c"}) == "did you mean 'a', 'b' or 'c'?");
}

}  // namespace
}  // namespace countertop::query
