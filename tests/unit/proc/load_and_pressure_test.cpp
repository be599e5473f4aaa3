#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "collectors/proc/load_part.hpp"
#include "collectors/proc/pressure_part.hpp"
#include "tests/unit/proc/machine_watch.hpp"

using namespace countertop;
using namespace countertop::test;
using Catch::Approx;

TEST_CASE("Load averages have two decimals") {
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch(files);
  watch.tick();
  CHECK(watch.value("load", "", "1 min") == Approx(0.42));
  CHECK(watch.value("load", "", "5 min") == Approx(1.05));
  CHECK(watch.value("load", "", "15 min") == Approx(2));
  CHECK(watch.value("load", "", "runnable") == 3);
  CHECK(watch.value("load", "", "threads") == 412);
}

TEST_CASE("A load that was cut short is none", "[parse]") {
  const std::string text = "0.42 1.05 2.00 3/412 90123\n";
  CHECK(proc::parse_load(text).has_value());
  for (std::size_t length = 0; length < 21; ++length)
    CHECK_FALSE(proc::parse_load(text.substr(0, length)).has_value());
  CHECK_FALSE(proc::parse_load("x 1.05 2.00 3/412 90123\n").has_value());
  CHECK_FALSE(proc::parse_load("0.42 1.05 2.00 3412 90123\n").has_value());
  CHECK_FALSE(proc::parse_load("0.42 1.05 2.00 /412 90123\n").has_value());
}

TEST_CASE("Pressure is the exact share of the second, beside the kernel's own average") {
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch(files);
  watch.tick();
  CHECK(watch.instances("pressure") == std::vector<std::string>{"cpu", "memory", "io"});
  files.write("proc/pressure/io",
              "some avg10=2.25 avg60=0.50 avg300=0.20 total=4250000\nfull avg10=1.75 avg60=0.1 avg300=0.0 "
              "total=3100000\n");
  watch.tick();
  CHECK(watch.value("pressure", "io", "some") == Approx(25));
  CHECK(watch.value("pressure", "io", "full") == Approx(10));
  CHECK(watch.value("pressure", "io", "some avg10") == Approx(2.25));
  CHECK(watch.value("pressure", "io", "full avg10") == Approx(1.75));
  CHECK(watch.value("pressure", "memory", "some") == 0);
}

TEST_CASE("Before Linux 5.13 cpu has no full line, and no value for it") {
  FakeProcRoot files{"two_cpus"};
  files.write("proc/pressure/cpu", "some avg10=1.50 avg60=0.50 avg300=0.20 total=100\n");
  MachineWatch watch(files);
  watch.tick();
  watch.tick();
  CHECK(watch.absence("pressure", "cpu", "full") == Absence::not_readable);
  CHECK(watch.value("pressure", "cpu", "some") == 0);
}

TEST_CASE("Kernels that time interrupts show their pressure too") {
  FakeProcRoot files{"two_cpus"};
  files.write("proc/pressure/irq", "full avg10=0.10 avg60=0.00 avg300=0.00 total=900\n");
  MachineWatch watch(files);
  watch.tick();
  watch.tick();
  CHECK(watch.instances("pressure") == std::vector<std::string>{"cpu", "memory", "io", "irq"});
  CHECK(watch.value("pressure", "irq", "full") == 0);
  CHECK(watch.absence("pressure", "irq", "some") == Absence::not_readable);
}

TEST_CASE("A kernel without pressure says so, is asked again every minute, and gives everything else") {
  FakeProcRoot files{"old_kernel"};
  MachineWatch watch(files);
  REQUIRE(watch.tick());
  CHECK(watch.has_problem("no pressure stall information"));
  CHECK(watch.snapshot("pressure") == nullptr);
  CHECK(watch.snapshot("load") != nullptr);
  const std::size_t asked = files.reads_of("proc/pressure/cpu");
  for (int i = 0; i < 59; ++i) watch.tick();
  CHECK(files.reads_of("proc/pressure/cpu") == asked);
  CHECK(watch.has_problem("no pressure stall information"));  // still told
  files.write("proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n");
  watch.tick();
  watch.tick();
  CHECK(watch.instances("pressure") == std::vector<std::string>{"cpu"});
}

TEST_CASE("Pressure that is switched off says how to switch it on") {
  FakeProcRoot files{"two_cpus"};
  for (const char* name : {"cpu", "memory", "io"})
    files.refuse(std::string("proc/pressure/") + name, ErrorCode::unavailable);
  MachineWatch watch(files);
  REQUIRE(watch.tick());
  REQUIRE(watch.newest().problems.size() == 1);
  CHECK(watch.newest().problems[0].code == ErrorCode::unavailable);
  CHECK(watch.newest().problems[0].fix.find("psi=1") != std::string::npos);
}
