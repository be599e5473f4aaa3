#include "collectors/proc/cgroup_collector.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

#include "collectors/core/cook.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/unit/proc/cgroup_files.hpp"

using namespace countertop;
using namespace countertop::proc;
using Catch::Approx;

namespace {

constexpr std::int64_t kMiB = 1 << 20;

struct Watch {
  test::FileMap own, host;
  test::ManualClock clock;
  CgroupCollector collector{std::make_unique<test::MapFileTree>(own),
                            std::make_unique<test::MapFileTree>(host)};
  Snapshot older, newer;

  Watch() {
    host["proc/meminfo"] = "MemTotal:       16777216 kB\nMemFree: 1 kB\n";
    host["sys/devices/system/cpu/online"] = "0-15\n";
  }
  void scan() {
    auto collected = collector.collect(clock);
    REQUIRE(collected);
    older = std::move(newer);
    newer = std::move(collected->snapshots.at(0));
    clock.advance_ms(1000);
  }
  Cooked cooked(std::string_view name) const {
    const CounterDefinition* const counter = newer.object->find_counter(name);
    REQUIRE(counter != nullptr);
    const RawSample last{newer.row(0), newer.time};
    if (older.object == nullptr) return cook(*newer.object, *counter, nullptr, last);
    const RawSample first{older.row(0), older.time};
    return cook(*newer.object, *counter, &first, last);
  }
  double value(std::string_view name) const { return cooked(name).value; }

  void fill_version_2(const std::string& group) {
    const std::string folder = "sys/fs/cgroup/" + group + "/";
    own["proc/self/cgroup"] = "0::/" + group + "\n";
    own["proc/self/mountinfo"] = "30 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
    own[folder + "memory.max"] = std::to_string(512 * kMiB) + "\n";
    own[folder + "memory.current"] = std::to_string(400 * kMiB) + "\n";
    own[folder + "memory.stat"] = "anon 1\nfile " + std::to_string(300 * kMiB) + "\nshmem " +
                                  std::to_string(28 * kMiB) + "\ninactive_file " +
                                  std::to_string(100 * kMiB) + "\n";
    own[folder + "memory.events"] = "low 0\noom 1\noom_kill 2\n";
    own[folder + "memory.swap.current"] = "4096\n";
    own[folder + "memory.swap.max"] = "max\n";
    own[folder + "cpu.max"] = "150000 100000\n";
    own[folder + "cpu.stat"] = "usage_usec 1000000\nnr_periods 10\nnr_throttled 1\nthrottled_usec 5000\n";
    own[folder + "pids.current"] = "17\n";
    own[folder + "pids.max"] = "100\n";
  }
};

}  // namespace

TEST_CASE("The definition of cgroup is sound") {
  const ObjectHandle object = make_cgroup_object();
  CHECK(why_invalid(*object).empty());
  CHECK_FALSE(object->instanced);
}

TEST_CASE("Limit and host stand side by side, and cache is not used memory", "[T-L12]") {
  Watch watch;
  watch.fill_version_2("app");
  watch.scan();
  CHECK(watch.value("memory limit") == Approx(512 * kMiB));
  CHECK(watch.value("host memory") == Approx(16384.0 * kMiB));
  CHECK(watch.value("cpu limit") == Approx(1.5));
  CHECK(watch.value("host cpus") == Approx(16));
  CHECK(watch.value("memory charged") == Approx(400 * kMiB));
  CHECK(watch.value("memory used") == Approx(128 * kMiB));
  CHECK(watch.value("memory cache") == Approx(272 * kMiB));
  CHECK(watch.value("memory working set") == Approx(300 * kMiB));
  CHECK(watch.value("memory of limit") == Approx(25));
  CHECK(watch.value("swap used") == Approx(4096));
  CHECK(watch.value("pids") == Approx(17));
  CHECK(watch.value("pids limit") == Approx(100));
}

TEST_CASE("CPU time of the group, its share of the quota, and the time it was stopped", "[T-L12]") {
  Watch watch;
  watch.fill_version_2("app");
  watch.scan();
  watch.own["sys/fs/cgroup/app/cpu.stat"] =
      "usage_usec 1750000\nnr_periods 20\nnr_throttled 6\nthrottled_usec 105000\n";
  watch.own["sys/fs/cgroup/app/memory.events"] = "oom_kill 3\n";
  watch.scan();
  CHECK(watch.value("cpu") == Approx(75));
  CHECK(watch.value("cpu of limit") == Approx(50));
  CHECK(watch.value("throttled") == Approx(10));
  CHECK(watch.value("throttled periods") == Approx(50));
  CHECK(watch.value("oom kills") == Approx(1));
}

TEST_CASE("The strictest limit on the way up holds", "[T-L12]") {
  Watch watch;
  watch.fill_version_2("pod/app");
  watch.own["sys/fs/cgroup/pod/memory.max"] = std::to_string(256 * kMiB) + "\n";
  watch.own["sys/fs/cgroup/pod/cpu.max"] = "50000 100000\n";
  watch.own["sys/fs/cgroup/memory.max"] = "max\n";
  watch.scan();
  CHECK(watch.value("memory limit") == Approx(256 * kMiB));
  CHECK(watch.value("cpu limit") == Approx(0.5));
}

TEST_CASE("Without limits the limits have no value, and use is shown all the same", "[T-L12]") {
  Watch watch;
  watch.fill_version_2("app");
  watch.own["sys/fs/cgroup/app/memory.max"] = "max\n";
  watch.own["sys/fs/cgroup/app/cpu.max"] = "max 100000\n";
  watch.own["sys/fs/cgroup/app/pids.max"] = "max\n";
  watch.scan();
  watch.scan();
  for (const char* name :
       {"memory limit", "memory of limit", "swap limit", "cpu limit", "cpu of limit", "pids limit"}) {
    CAPTURE(name);
    CHECK(watch.cooked(name).absence == Absence::not_readable);
  }
  CHECK(watch.value("memory charged") == Approx(400 * kMiB));
}

TEST_CASE("Version 1 says the same with other files", "[T-L12]") {
  Watch watch;
  watch.own["proc/self/cgroup"] = "4:memory:/docker/ab\n3:pids:/docker/ab\n2:cpu,cpuacct:/docker/ab\n";
  watch.own["proc/self/mountinfo"] =
      "31 30 0:28 /docker/ab /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n"
      "34 30 0:31 /docker/ab /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
      "35 30 0:32 /docker/ab /sys/fs/cgroup/pids ro - cgroup cgroup rw,pids\n";
  watch.own["sys/fs/cgroup/memory/memory.limit_in_bytes"] = "9223372036854771712\n";
  watch.own["sys/fs/cgroup/memory/memory.usage_in_bytes"] = std::to_string(400 * kMiB) + "\n";
  watch.own["sys/fs/cgroup/memory/memory.stat"] =
      "cache 1\nhierarchical_memory_limit 536870912\ntotal_cache " + std::to_string(300 * kMiB) +
      "\ntotal_shmem " + std::to_string(28 * kMiB) + "\ntotal_inactive_file " + std::to_string(100 * kMiB) +
      "\ntotal_swap 4096\n";
  watch.own["sys/fs/cgroup/memory/memory.oom_control"] = "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n";
  watch.own["sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us"] = "150000\n";
  watch.own["sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us"] = "100000\n";
  watch.own["sys/fs/cgroup/cpu,cpuacct/cpu.stat"] = "nr_periods 10\nnr_throttled 1\nthrottled_time 5000000\n";
  watch.own["sys/fs/cgroup/cpu,cpuacct/cpuacct.usage"] = "1000000000\n";
  watch.own["sys/fs/cgroup/pids/pids.current"] = "17\n";
  watch.own["sys/fs/cgroup/pids/pids.max"] = "max\n";
  watch.scan();
  watch.own["sys/fs/cgroup/cpu,cpuacct/cpu.stat"] =
      "nr_periods 20\nnr_throttled 6\nthrottled_time 105000000\n";
  watch.own["sys/fs/cgroup/cpu,cpuacct/cpuacct.usage"] = "1750000000\n";
  watch.scan();
  CHECK(watch.value("memory limit") == Approx(512 * kMiB));  // of a group above, which cannot be seen
  CHECK(watch.value("memory used") == Approx(128 * kMiB));
  CHECK(watch.value("memory working set") == Approx(300 * kMiB));
  CHECK(watch.value("swap used") == Approx(4096));
  CHECK(watch.value("cpu limit") == Approx(1.5));
  CHECK(watch.value("cpu") == Approx(75));
  CHECK(watch.value("cpu of limit") == Approx(50));
  CHECK(watch.value("throttled") == Approx(10));
  CHECK(watch.value("throttled periods") == Approx(50));
  CHECK(watch.value("pids") == Approx(17));
  CHECK(watch.cooked("pids limit").absence == Absence::not_readable);
}

TEST_CASE("A limit that is changed while we run shows within ten scans", "[T-L12]") {
  Watch watch;
  watch.fill_version_2("app");
  watch.scan();
  watch.own["sys/fs/cgroup/app/memory.max"] = std::to_string(64 * kMiB) + "\n";
  for (int scan = 0; scan < 10; ++scan) watch.scan();
  CHECK(watch.value("memory limit") == Approx(64 * kMiB));
}

TEST_CASE("A group whose folder is not where its path says is looked for at the top", "[T-L12]") {
  Watch watch;
  watch.fill_version_2("app");
  watch.own["proc/self/cgroup"] = "0::/not/there\n";
  watch.own["sys/fs/cgroup/memory.current"] = "123\n";
  watch.scan();
  CHECK(watch.value("memory charged") == Approx(123));
}

TEST_CASE("A machine without control groups has no such object, which is no failure") {
  Watch watch;
  const auto none = watch.collector.collect(watch.clock);
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ErrorCode::unavailable);
  watch.own["proc/self/cgroup"] = "0::/\n";
  watch.own["proc/self/mountinfo"] = "21 26 0:20 / /proc rw - proc proc rw\n";
  const auto unmounted = watch.collector.collect(watch.clock);
  REQUIRE_FALSE(unmounted);
  CHECK(unmounted.error().code == ErrorCode::unavailable);
}
