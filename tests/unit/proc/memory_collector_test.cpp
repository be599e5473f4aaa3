#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "tests/unit/proc/machine_watch.hpp"

using namespace countertop;
using namespace countertop::test;
using Catch::Approx;

namespace {
constexpr double kKib = 1024;
}

TEST_CASE("Memory is bytes, and caches that would be given back do not count as used", "[T-L12]") {
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch(files);
  REQUIRE(watch.tick());
  CHECK(watch.value("memory", "", "total") == 8'000'000 * kKib);
  CHECK(watch.value("memory", "", "available") == 5'000'000 * kKib);
  CHECK(watch.value("memory", "", "used") == 3'000'000 * kKib);
  CHECK(watch.value("memory", "", "used %") == Approx(37.5));
  CHECK(watch.value("memory", "", "free") == 400'000 * kKib);
  CHECK(watch.value("memory", "", "cached") == 4'300'000 * kKib);
  CHECK(watch.value("memory", "", "buffers") == 100'000 * kKib);
  CHECK(watch.value("memory", "", "used") + watch.value("memory", "", "available") ==
        watch.value("memory", "", "total"));
}

TEST_CASE("Where the kernel does not say what is available it is estimated") {
  FakeProcRoot files{"old_kernel"};
  MachineWatch watch(files);
  REQUIRE(watch.tick());
  // free + buffers + cached + reclaimable slab; there is no Shmem
  CHECK(watch.value("memory", "", "available") == (100'000 + 50'000 + 400'000 + 30'000) * kKib);
  CHECK(watch.absence("memory", "", "shared") == Absence::not_readable);
  CHECK(watch.absence("memory", "", "huge pages transparent") == Absence::not_readable);
}

TEST_CASE("Swap tells size, use and traffic") {
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch(files);
  watch.tick();
  files.write("proc/vmstat", replaced(files.text("proc/vmstat"), "pswpout 800", "pswpout 1000"));
  watch.tick();
  CHECK(watch.value("swap", "", "total") == 2'000'000 * kKib);
  CHECK(watch.value("swap", "", "used") == 500'000 * kKib);
  CHECK(watch.value("swap", "", "used %") == Approx(25));
  CHECK(watch.value("swap", "", "write bytes/s") == Approx(200 * 4096));
  CHECK(watch.value("swap", "", "read bytes/s") == Approx(0));
}

TEST_CASE("A machine without swap has zero bytes of it and no percentage") {
  FakeProcRoot files{"old_kernel"};
  MachineWatch watch(files);
  watch.tick();
  CHECK(watch.value("swap", "", "total") == 0);
  CHECK(watch.value("swap", "", "used") == 0);
  CHECK(watch.absence("swap", "", "used %") == Absence::zero_base);
}

TEST_CASE("The memory management's work is a rate per second") {
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch(files);
  watch.tick();
  std::string text = files.text("proc/vmstat");
  text = replaced(text, "pgfault 88000000", "pgfault 88003000");
  text = replaced(text, "pgpgin 1200000", "pgpgin 1200100");
  text = replaced(text, "allocstall_normal 20", "allocstall_normal 26");
  text = replaced(text, "allocstall_movable 4", "allocstall_movable 5");
  text = replaced(text, "oom_kill 1", "oom_kill 2");
  text = replaced(text, "workingset_refault_file 900", "workingset_refault_file 930");
  files.write("proc/vmstat", text);
  watch.tick();
  CHECK(watch.value("vm", "", "page faults/s") == Approx(3000));
  CHECK(watch.value("vm", "", "paged in bytes/s") == Approx(100 * kKib));
  CHECK(watch.value("vm", "", "allocation stalls/s") == Approx(7));
  CHECK(watch.value("vm", "", "oom kills/s") == Approx(1));
  CHECK(watch.value("vm", "", "refaults/s") == Approx(30));
  CHECK(watch.value("vm", "", "huge page faults/s") == Approx(0));
}

TEST_CASE("Old kernels count reclaim by zone and lack what came later") {
  FakeProcRoot files{"old_kernel"};
  MachineWatch watch(files);
  watch.tick();
  files.write("proc/vmstat",
              replaced(replaced(files.text("proc/vmstat"), "pgscan_kswapd_dma 10", "pgscan_kswapd_dma 14"),
                       "pgscan_kswapd_normal 30", "pgscan_kswapd_normal 36"));
  watch.tick();
  CHECK(watch.value("vm", "", "background scan pages/s") == Approx(10));
  CHECK(watch.value("vm", "", "allocation stalls/s") == Approx(0));
  CHECK(watch.absence("vm", "", "oom kills/s") == Absence::not_readable);
  CHECK(watch.absence("vm", "", "huge page faults/s") == Absence::not_readable);
}

TEST_CASE("Memory stays where vmstat cannot be read") {
  FakeProcRoot files{"two_cpus"};
  files.refuse("proc/vmstat", ErrorCode::permission);
  MachineWatch watch(files);
  REQUIRE(watch.tick());
  CHECK(watch.value("memory", "", "total") == 8'000'000 * kKib);
  CHECK(watch.value("swap", "", "used") == 500'000 * kKib);
  CHECK(watch.snapshot("vm") == nullptr);
  CHECK(watch.has_problem("vmstat"));
}

TEST_CASE("Numbers that are no amount of memory do no harm") {
  FakeProcRoot files{"two_cpus"};
  files.write("proc/meminfo",
              "MemTotal: 18446744073709551615 kB\nMemFree: 99999999999999999999999 kB\nCached: -5 kB\n"
              "Buffers: 9223372036854775807 kB\nSReclaimable: 9223372036854775807 kB\n");
  MachineWatch watch(files);
  REQUIRE(watch.tick());
  CHECK(watch.absence("memory", "", "free") == Absence::not_readable);
  CHECK(watch.value("memory", "", "available") == 0);
}
