#include "collectors/proc/cgroup_layout.hpp"

#include <catch2/catch_test_macros.hpp>

#include "collectors/core/object.hpp"

using namespace countertop;
using namespace countertop::proc;

namespace {

constexpr std::string_view kUnified =
    "30 22 0:27 / /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr std::string_view kHybrid =
    "30 22 0:27 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
    "31 30 0:28 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
    "34 30 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
    "39 30 0:36 / /sys/fs/cgroup/systemd rw,relatime - cgroup cgroup rw,name=systemd\n"
    "40 30 0:37 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

}  // namespace

TEST_CASE("Version 2 has every controller in one folder", "[parse][T-L12]") {
  const CgroupLayout layout = find_cgroup_layout("0::/system.slice/countertop.service\n", kUnified);
  for (const CgroupPlace* place : {&layout.memory, &layout.cpu, &layout.cpuacct, &layout.pids}) {
    CHECK(place->version == CgroupVersion::v2);
    CHECK(place->mount == "fs/cgroup");
    CHECK(place->group == "system.slice/countertop.service");
  }
  CHECK(folders_upward(layout.memory) == std::vector<std::string>{"fs/cgroup/system.slice/countertop.service",
                                                                  "fs/cgroup/system.slice", "fs/cgroup"});
}

TEST_CASE("In a hybrid the version-1 hierarchies go first, and the common one has the rest",
          "[parse][T-L12]") {
  const CgroupLayout layout = find_cgroup_layout(
      "4:memory:/docker/ab\n2:cpu,cpuacct:/docker/cd\n1:name=systemd:/x\n0::/docker/ef\n", kHybrid);
  CHECK(layout.memory.version == CgroupVersion::v1);
  CHECK(layout.memory.mount == "fs/cgroup/memory");
  CHECK(layout.memory.group == "docker/ab");
  CHECK(layout.cpu.mount == "fs/cgroup/cpu,cpuacct");
  CHECK(layout.cpu.group == "docker/cd");
  CHECK(layout.cpuacct.version == CgroupVersion::v1);
  CHECK(layout.pids.version == CgroupVersion::v2);
  CHECK(layout.pids.mount == "fs/cgroup/unified");
  CHECK(layout.pids.group == "docker/ef");
}

TEST_CASE("A container that sees its own group as the top of the mount finds it there", "[parse][T-L12]") {
  constexpr std::string_view kDocker =
      "900 899 0:31 /docker/ab /sys/fs/cgroup/memory ro,nosuid - cgroup cgroup rw,memory\n";
  CHECK(find_cgroup_layout("4:memory:/docker/ab\n", kDocker).memory.group.empty());
  CHECK(find_cgroup_layout("4:memory:/docker/ab/inner\n", kDocker).memory.group == "inner");
  CHECK(find_cgroup_layout("4:memory:/docker/abc\n", kDocker).memory.group.empty());  // a neighbour's name
  CHECK(find_cgroup_layout("4:memory:/\n", kDocker).memory.group.empty());
  // Moved to a group outside of its namespace.
  CHECK(find_cgroup_layout("0::/../other\n", kUnified).memory.group.empty());
  CHECK(find_cgroup_layout("0::/a/../../other\n", kUnified).memory.group.empty());
}

TEST_CASE("Without control groups there is no layout", "[parse]") {
  CHECK(find_cgroup_layout("", kUnified).empty());
  CHECK(find_cgroup_layout("0::/\n", "").empty());
  CHECK(find_cgroup_layout("nonsense\n:::\n0\n", "short\n - cgroup2\n").empty());
  CHECK(find_cgroup_layout("0::/\n", "30 22 0:27 / /elsewhere rw - cgroup2 cgroup2 rw\n").empty());
}

TEST_CASE("Group paths may hold colons, and mount points blanks", "[parse]") {
  const auto memberships = parse_cgroup_membership("0::/a:b/c\n");
  REQUIRE(memberships.size() == 1);
  CHECK(memberships[0].path == "/a:b/c");
  const auto mounts = parse_cgroup_mounts("1 2 0:3 /x\\040y /sys/fs/my\\134group rw - cgroup2 none rw\n");
  REQUIRE(mounts.size() == 1);
  CHECK(mounts[0].root == "/x y");
  CHECK(mounts[0].mount_point == "/sys/fs/my\\group");
}

TEST_CASE("No limit is no number", "[parse][T-L12]") {
  CHECK(parse_cgroup_limit("max\n") == kNoValue);
  CHECK(parse_cgroup_limit("9223372036854771712\n") == kNoValue);  // pages of 4 KiB
  CHECK(parse_cgroup_limit("9223372036854710272\n") == kNoValue);  // pages of 64 KiB
  CHECK(parse_cgroup_limit("9223372036854775807\n") == kNoValue);
  CHECK(parse_cgroup_limit("-1\n") == kNoValue);
  CHECK(parse_cgroup_limit("536870912\n") == 536'870'912);
  CHECK(parse_cgroup_limit("0\n") == 0);
  CHECK_FALSE(parse_cgroup_limit(""));
  CHECK_FALSE(parse_cgroup_limit("many\n"));
  CHECK(stricter_limit(kNoValue, 5) == 5);
  CHECK(stricter_limit(5, kNoValue) == 5);
  CHECK(stricter_limit(7, 5) == 5);
  CHECK(stricter_limit(kNoValue, kNoValue) == kNoValue);
}

TEST_CASE("A CPU quota is a number of CPUs, in thousandths", "[parse][T-L12]") {
  CHECK(parse_cpu_max("150000 100000\n") == 1500);
  CHECK(parse_cpu_max("max 100000\n") == kNoValue);
  CHECK_FALSE(parse_cpu_max("150000\n"));
  CHECK_FALSE(parse_cpu_max("150000 0\n"));
  CHECK_FALSE(parse_cpu_max("some 100000\n"));
  CHECK(cpu_limit_of(-1, 100'000) == kNoValue);
  CHECK(cpu_limit_of(25'000, 50'000) == 500);
  CHECK(cpu_limit_of(25'000, 0) == kNoValue);
}
