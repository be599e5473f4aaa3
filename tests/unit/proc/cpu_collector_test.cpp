#include <algorithm>
#include <array>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "collectors/proc/cpu_part.hpp"
#include "tests/unit/proc/machine_watch.hpp"

using namespace countertop;
using namespace countertop::test;
using Catch::Approx;

namespace {

// user nice system idle iowait irq softirq steal guest guest_nice
using Ticks = std::array<std::int64_t, 10>;

constexpr Ticks kStart = {4000, 50, 2000, 90000, 800, 10, 300, 20, 100, 5};

Ticks plus(Ticks ticks, const Ticks& more) {
  for (std::size_t i = 0; i < ticks.size(); ++i) ticks[i] += more[i];
  return ticks;
}

std::string line(const std::string& name, const Ticks& ticks) {
  std::string text = name;
  for (const std::int64_t value : ticks) text += " " + std::to_string(value);
  return text + "\n";
}

/// /proc/stat of the given CPUs; the first line is their sum.
std::string stat_text(const std::vector<std::pair<int, Ticks>>& cpus) {
  Ticks sum{};
  std::string text;
  for (const auto& [number, ticks] : cpus) {
    sum = plus(sum, ticks);
    text += line("cpu" + std::to_string(number), ticks);
  }
  return line("cpu ", sum) + text + "intr 1 0\nctxt 2\nprocesses 3\nprocs_running 1\nprocs_blocked 0\n";
}

/// One CPU that goes from kStart to `later` in one second.
struct OneCpu {
  explicit OneCpu(const Ticks& later, std::int64_t ms = 1000) : watch(files) {
    files.write("proc/stat", stat_text({{0, kStart}}));
    watch.tick();
    files.write("proc/stat", stat_text({{0, later}}));
    watch.tick(ms);
  }
  double value(std::string_view counter) const { return watch.value("cpu", "total", counter); }
  Absence absence(std::string_view counter) const { return watch.absence("cpu", "total", counter); }

  FakeProcRoot files{"two_cpus"};
  MachineWatch watch;
};

}  // namespace

TEST_CASE("CPU shares are parts of the sum of all eight columns") {
  const OneCpu cpu(plus(kStart, {30, 5, 20, 25, 10, 2, 3, 5, 0, 0}));
  CHECK(cpu.value("user") == Approx(30));
  CHECK(cpu.value("nice") == Approx(5));
  CHECK(cpu.value("system") == Approx(20));
  CHECK(cpu.value("idle") == Approx(25));
  CHECK(cpu.value("iowait") == Approx(10));
  CHECK(cpu.value("irq") == Approx(2));
  CHECK(cpu.value("softirq") == Approx(3));
  CHECK(cpu.value("steal") == Approx(5));
  CHECK(cpu.value("busy") == Approx(65));
}

TEST_CASE("An iowait that goes back counts as none and moves nothing else", "[T-L02]") {
  for (const std::int64_t back : {-1, -50, -799}) {
    const OneCpu cpu(plus(kStart, {10, 0, 10, 80, back, 0, 0, 0, 0, 0}));
    CHECK(cpu.value("iowait") == Approx(0));
    CHECK(cpu.value("idle") == Approx(80));
    CHECK(cpu.value("busy") == Approx(20));
  }
}

TEST_CASE("After an iowait that went back the next second is right again", "[T-L02]") {
  OneCpu cpu(plus(kStart, {10, 0, 10, 80, -50, 0, 0, 0, 0, 0}));
  cpu.files.write("proc/stat", stat_text({{0, plus(kStart, {20, 0, 20, 155, -45, 0, 0, 0, 0, 0})}}));
  cpu.watch.tick();
  CHECK(cpu.value("iowait") == Approx(5));
  CHECK(cpu.value("idle") == Approx(75));
}

TEST_CASE("An idle that goes back a little counts as none", "[T-L03]") {
  const OneCpu cpu(plus(kStart, {90, 0, 10, -2, 0, 0, 0, 0, 0, 0}));
  CHECK(cpu.value("idle") == Approx(0));
  CHECK(cpu.value("busy") == Approx(100));
}

TEST_CASE("An idle that goes back far is a restart of the counter and gives no value", "[T-L03]") {
  const OneCpu cpu(plus(kStart, {10, 0, 10, -5000, 0, 0, 0, 0, 0, 0}));
  CHECK(cpu.absence("idle") == Absence::counter_reset);
  CHECK(cpu.absence("busy") == Absence::counter_reset);
}

TEST_CASE("Columns that all start anew give no value, and the second after that is right", "[T-L03]") {
  OneCpu cpu(Ticks{1, 0, 1, 5, 0, 0, 0, 0, 0, 0});
  CHECK(cpu.absence("busy") == Absence::counter_reset);
  cpu.files.write("proc/stat", stat_text({{0, Ticks{26, 0, 26, 55, 0, 0, 0, 0, 0, 0}}}));
  cpu.watch.tick();
  CHECK(cpu.value("busy") == Approx(50));
}

TEST_CASE("CPUs are known by their own number, holes and all", "[T-L04]") {
  FakeProcRoot files{"cpu_holes"};
  MachineWatch watch(files);
  REQUIRE(watch.tick());
  CHECK(watch.instances("cpu") == std::vector<std::string>{"total", "0", "2", "5"});
  CHECK(watch.value("system", "", "cpus online") == 3);
  files.write("proc/stat", stat_text({{0, {100, 0, 100, 5100, 10, 0, 5, 0, 0, 0}},
                                      {2, {250, 0, 120, 4950, 12, 0, 6, 0, 0, 0}},
                                      {5, {400, 0, 140, 4800, 14, 0, 7, 0, 0, 0}}}));
  REQUIRE(watch.tick());
  CHECK(watch.value("cpu", "0", "busy") == Approx(0));
  CHECK(watch.value("cpu", "2", "busy") == Approx(50));
  CHECK(watch.value("cpu", "5", "busy") == Approx(100));
}

TEST_CASE("A CPU that goes offline ends its series and leaves a mark, and so does one that comes",
          "[T-L04]") {
  FakeProcRoot files{"cpu_holes"};
  MachineWatch watch(files);
  watch.tick();
  CHECK(watch.newest().marks.empty());
  const Ticks some = {300, 0, 140, 4800, 14, 0, 7, 0, 0, 0};
  files.write("proc/stat", stat_text({{0, some}, {3, some}, {5, some}}));
  watch.tick();
  REQUIRE(watch.newest().marks.size() == 2);
  CHECK(watch.newest().marks[0].kind == MarkKind::cpu_offline);
  CHECK(watch.newest().marks[0].text == "CPU 2 went offline.");
  CHECK(watch.newest().marks[0].wall_ms == watch.clock().wall_ms());
  CHECK(watch.newest().marks[1].kind == MarkKind::cpu_online);
  CHECK(watch.newest().marks[1].text == "CPU 3 came online.");
  CHECK(watch.instances("cpu") == std::vector<std::string>{"total", "0", "3", "5"});
  // What it counted in an earlier life does not become one second's work.
  CHECK(watch.absence("cpu", "3", "busy") == Absence::first_sample);
  CHECK_FALSE(watch.snapshot("cpu")->instances[2].counts_from_zero);
  watch.tick();
  CHECK(watch.newest().marks.empty());
}

TEST_CASE("Guest time is taken out of user once, and nice likewise", "[T-L05]") {
  // user 60 and nice 20 hold guest 40 and guest_nice 15
  const OneCpu cpu(plus(kStart, {60, 20, 0, 20, 0, 0, 0, 0, 40, 15}));
  CHECK(cpu.value("user") == Approx(20));
  CHECK(cpu.value("nice") == Approx(5));
  CHECK(cpu.value("guest") == Approx(55));
  CHECK(cpu.value("idle") == Approx(20));
  CHECK(cpu.value("busy") == Approx(80));
  CHECK(cpu.value("user") + cpu.value("nice") + cpu.value("guest") + cpu.value("idle") == Approx(100));
}

TEST_CASE("A guest that was read one tick ahead of user gives no negative share", "[T-L05]") {
  const OneCpu cpu(plus(kStart, {40, 0, 0, 60, 0, 0, 0, 0, 41, 0}));
  CHECK(cpu.value("user") == 0);
}

TEST_CASE("Waiting for a disk is not busy", "[T-L06]") {
  const OneCpu cpu(plus(kStart, {10, 0, 5, 5, 80, 0, 0, 0, 0, 0}));
  CHECK(cpu.value("iowait") == Approx(80));
  CHECK(cpu.value("busy") == Approx(15));
  CHECK(cpu.watch.snapshot("cpu")->object->find_counter("iowait")->help.find("not part of busy") !=
        std::string::npos);
}

TEST_CASE("Garbage in steal gives no value with a reason, and no spike", "[T-L07]") {
  OneCpu cpu(plus(kStart, {10, 0, 10, 80, 0, 0, 0, 400'000'000, 0, 0}));
  CHECK(cpu.absence("steal") == Absence::implausible);
  CHECK(cpu.absence("busy") == Absence::implausible);
  CHECK(cpu.absence("user") == Absence::implausible);  // its base is garbage
  // A huge number of 64 bits, as it stands when the kernel's counter went below zero.
  cpu.files.write("proc/stat", replaced(stat_text({{0, plus(kStart, {20, 0, 20, 160, 0, 0, 0, 0, 0, 0})}}),
                                        " 300 20 ", " 300 18446744073709551000 "));
  cpu.watch.tick();
  CHECK_FALSE(cpu.watch.cooked("cpu", "total", "busy").has_value());
}

TEST_CASE("Ticks that come in late by less than the margin are believed", "[T-L07]") {
  const OneCpu cpu(plus(kStart, {0, 0, 0, 0, 0, 0, 0, 150, 0, 0}));
  CHECK(cpu.value("steal") == Approx(100));
}

TEST_CASE("The CPUs together give the total", "[T-L14]") {
  FakeProcRoot files{"two_cpus"};
  std::vector<std::pair<int, Ticks>> cpus;
  std::string possible = "0-127\n";
  for (int i = 0; i < 128; ++i) cpus.emplace_back(i, kStart);
  files.write("proc/stat", stat_text(cpus));
  files.write("sys/devices/system/cpu/possible", possible);
  MachineWatch watch(files);
  REQUIRE(watch.tick());
  REQUIRE(watch.instances("cpu").size() == 129);
  for (int i = 0; i < 128; ++i) {
    const std::int64_t busy = (i * 37) % 101;
    auto& ticks = cpus[static_cast<std::size_t>(i)].second;
    ticks = plus(ticks, {busy, 0, 0, 100 - busy, 0, 0, 0, 0, 0, 0});
  }
  files.write("proc/stat", stat_text(cpus));
  REQUIRE(watch.tick());
  double sum = 0;
  for (int i = 0; i < 128; ++i) sum += watch.value("cpu", std::to_string(i), "busy");
  CHECK(sum / 128 == Approx(watch.value("cpu", "total", "busy")).margin(1));
  CHECK(watch.value("cpu", "127", "busy") == Approx((127 * 37) % 101));
}

TEST_CASE("A second reading of the same numbers gives no value instead of idle or full CPUs", "[T-L14]") {
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch(files);
  watch.tick();
  watch.tick();  // a stale file
  CHECK(watch.absence("cpu", "0", "busy") == Absence::zero_base);
  watch.tick(0);  // no time
  CHECK_FALSE(watch.cooked("cpu", "0", "busy").has_value());
  CHECK(watch.absence("system", "", "forks/s") == Absence::no_time);
}

TEST_CASE("The CPU columns that an old kernel lacks are zero") {
  FakeProcRoot files{"old_kernel"};
  MachineWatch watch(files);
  REQUIRE(watch.tick());
  files.write("proc/stat", "cpu  950 10 310 70040\ncpu0 550 5 210 35040\n");
  REQUIRE(watch.tick());
  CHECK(watch.value("cpu", "total", "busy") == Approx(60));
  CHECK(watch.value("cpu", "total", "steal") == 0);
  CHECK(watch.absence("system", "", "context switches/s") == Absence::not_readable);
}

TEST_CASE("The system object has what the kernel counts for all") {
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch(files);
  watch.tick();
  files.write("proc/stat",
              replaced(replaced(replaced(files.text("proc/stat"), "ctxt 15800321", "ctxt 15802321"),
                                "processes 48211", "processes 48231"),
                       "intr 9120456", "intr 9120956"));
  watch.tick(2000);
  CHECK(watch.value("system", "", "context switches/s") == Approx(1000));
  CHECK(watch.value("system", "", "forks/s") == Approx(10));
  CHECK(watch.value("system", "", "interrupts/s") == Approx(250));
  CHECK(watch.value("system", "", "soft interrupts/s") == Approx(0));
  CHECK(watch.value("system", "", "running") == 2);
  CHECK(watch.value("system", "", "blocked") == 1);
  CHECK(watch.value("system", "", "file handles used") == 1952);
  CHECK(watch.value("system", "", "uptime") == 86400);
}

TEST_CASE("System counters whose own file is missing have no value, the others stay") {
  FakeProcRoot files{"cpu_holes"};  // has no file-nr
  MachineWatch watch(files);
  REQUIRE(watch.tick());
  CHECK(watch.absence("system", "", "file handles used") == Absence::not_readable);
  CHECK(watch.value("system", "", "running") == 2);
  CHECK(watch.has_problem("file-nr"));
}

TEST_CASE("How many CPUs there can be is read where the kernel tells, and else counted") {
  FakeProcRoot files;
  const auto most = [&] { return proc::read_most_cpus(*files.tree()); };
  CHECK(most() == 1);
  files.write("proc/stat", stat_text({{0, kStart}, {6, kStart}}));
  CHECK(most() == 7);
  files.write("sys/devices/system/cpu/possible", "0-15\n");
  CHECK(most() == 16);
  files.write("sys/devices/system/cpu/possible", "0,2,31\n");
  CHECK(most() == 32);
  files.write("sys/devices/system/cpu/possible", "all of them\n");
  CHECK(most() == 7);
}
