#include "collectors/proc/process_name.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace countertop::proc;

namespace {

std::string group_of(std::string_view comm, bool worker = false) {
  ProcessStat stat;
  stat.comm = comm;
  stat.kernel_thread = stat.workqueue_worker = worker;
  return process_group(stat);
}

constexpr const char* kReplaced = "\xEF\xBF\xBD";

}  // namespace

TEST_CASE("A name cut in the middle of a character ends in the replacement character", "[T-L01]") {
  // Eight times e with an accent are 16 bytes, of which the kernel keeps 15.
  const std::string seven = "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9";
  CHECK(group_of(seven + "\xC3") == seven + kReplaced);
  // Four bytes of a character, cut after one, two and three: one replacement each time.
  CHECK(group_of("a\xF0") == std::string("a") + kReplaced);
  CHECK(group_of("a\xF0\x9F") == std::string("a") + kReplaced);
  CHECK(group_of("a\xF0\x9F\x98") == std::string("a") + kReplaced);
  CHECK(group_of("a\xF0\x9F\x98\x80") == "a\xF0\x9F\x98\x80");
}

TEST_CASE("A kernel worker's name does not change with the work it does") {
  CHECK(group_of("kworker/0:1-events", true) == "kworker/0:1");
  CHECK(group_of("kworker/0:1+events", true) == "kworker/0:1");
  CHECK(group_of("kworker/u8:0-events_unbound", true) == "kworker/u8:0");
  CHECK(group_of("kworker/1:1H-kblockd", true) == "kworker/1:1H");
  CHECK(group_of("kworker/u8:2", true) == "kworker/u8:2");
  CHECK(group_of("kworker/R-mm_percpu_wq", true) == "kworker/R-mm_percpu_wq");
  // A user's process may call itself so; its name is its own.
  CHECK(group_of("kworker/0:1-x", false) == "kworker/0:1-x");
}

TEST_CASE("A process without a name gets one, and long names of the kernel are bounded") {
  CHECK(group_of("") == "?");
  CHECK(group_of(std::string(200, 'k')) == std::string(64, 'k'));
}

TEST_CASE("An instance is the name, the number and the start; a name may hold all of their separators") {
  CHECK(process_instance("nginx", 812, 1'764'500'000) == "nginx:812@1764500000");
  CHECK(process_instance("a:1@2", 3, 4) == "a:1@2:3@4");
}
