#include "collectors/proc/process_visibility.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace countertop;
using namespace countertop::proc;

namespace {

constexpr std::string_view kPlainMount = "21 26 0:20 / /proc rw,relatime - proc proc rw\n";
constexpr std::string_view kHidingMount =
    "21 26 0:20 / /proc rw,relatime shared:5 - proc proc rw,hidepid=invisible,gid=4\n";

}  // namespace

TEST_CASE("The newest process number and the boot time are found in their files", "[parse]") {
  CHECK(last_process_number("0.10 0.05 0.01 1/234 5678\n") == 5678);
  CHECK_FALSE(last_process_number("0.10 0.05 0.01 1/234 56"));
  CHECK_FALSE(last_process_number("0.10 0.05 0.01 1/234 x\n"));
  CHECK_FALSE(last_process_number(""));
  CHECK(find_boot_time("cpu  1 2 3\nintr 5\nbtime 1796000000\nprocesses 5\n") == 1'796'000'000);
  CHECK_FALSE(find_boot_time("cpu 1\nxbtime 5\n"));
  CHECK_FALSE(find_boot_time("btime \n"));
}

TEST_CASE("The hidepid option is that of the mount that is seen", "[parse][hidepid]") {
  CHECK(hidepid_option(kPlainMount, "/proc").empty());
  CHECK(hidepid_option(kHidingMount, "/proc") == "invisible");
  CHECK(hidepid_option(kHidingMount, "/host/proc").empty());
  CHECK(hidepid_option(std::string(kHidingMount) + std::string(kPlainMount), "/proc").empty());
  CHECK(hidepid_option("21 26 0:20 / /proc", "/proc").empty());
}

TEST_CASE("Processes hidden by hidepid are told, with the way to see them", "[hidepid]") {
  VisibilityFacts facts;
  facts.namespace_link = "pid:[4026531836]";
  facts.mountinfo = kHidingMount;
  facts.proc_path = "/proc";
  facts.first_process_visible = false;
  const auto problems = find_blind_spots(facts);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].code == ErrorCode::permission);
  CHECK(problems[0].message.find("hidepid=invisible") != std::string::npos);
  CHECK_FALSE(problems[0].fix.empty());
  facts.first_process_visible = true;  // root, or the group that may see all
  CHECK(find_blind_spots(facts).empty());
}

TEST_CASE("A container that sees only its own processes says so", "[namespace]") {
  VisibilityFacts facts;
  facts.namespace_link = "pid:[4026532198]";
  facts.mountinfo = kPlainMount;
  facts.proc_path = "/proc";
  const auto problems = find_blind_spots(facts);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].code == ErrorCode::unavailable);
  CHECK(problems[0].message.find("container") != std::string::npos);
}

TEST_CASE("A container that reads the host's /proc sees everything", "[namespace]") {
  VisibilityFacts facts;
  facts.namespace_link = "pid:[4026532198]";
  facts.numbers_are_ours = false;
  facts.proc_path = "/host/proc";
  CHECK(find_blind_spots(facts).empty());
}
