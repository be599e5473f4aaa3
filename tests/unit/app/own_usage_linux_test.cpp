#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>

#include "server/app/machine.hpp"

namespace countertop::app {
namespace {

TEST_CASE("Each open descriptor of this program counts once", "[app]") {
  const std::int64_t before = read_own_usage().open_files;
  REQUIRE(before > 0);
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  CHECK(read_own_usage().open_files == before + 2);
  for (const int end : ends) ::close(end);
  CHECK(read_own_usage().open_files == before);
}

}  // namespace
}  // namespace countertop::app
