#include "collectors/proc/sensor_collector.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "tests/unit/proc/machine_watch.hpp"

using namespace countertop;
using namespace countertop::test;
using Catch::Approx;

namespace {
struct SensorWatch {
  explicit SensorWatch(std::string_view fixture = "two_cpus")
      : files(fixture), watch(std::make_unique<proc::SensorCollector>(files.tree())) {}
  FakeProcRoot files;
  CollectorWatch watch;
};
}  // namespace

TEST_CASE("Temperatures are named by chip and label; chips of one name by their device too") {
  SensorWatch sensors;
  REQUIRE(sensors.watch.tick());
  CHECK(sensors.watch.instances("temperature") ==
        std::vector<std::string>{"coretemp Package id 0", "coretemp Core 0", "nvme nvme0 Composite",
                                 "nvme nvme1 Composite", "drivetemp temp1", "acpi_tz temp1",
                                 "x86_pkg_temp zone1"});
  CHECK(sensors.watch.value("temperature", "coretemp Package id 0", "current") == Approx(52));
  CHECK(sensors.watch.value("temperature", "coretemp Package id 0", "high") == Approx(84));
  CHECK(sensors.watch.value("temperature", "coretemp Package id 0", "critical") == Approx(100));
  CHECK(sensors.watch.value("temperature", "nvme nvme1 Composite", "current") == Approx(41.85));
  CHECK(sensors.watch.absence("temperature", "coretemp Core 0", "critical") == Absence::not_readable);
  CHECK(sensors.watch.value("temperature", "x86_pkg_temp zone1", "current") == Approx(52));
}

TEST_CASE("Power: batteries, supplies, graphics cards and the processor's energy counters") {
  SensorWatch sensors;
  sensors.watch.tick();
  CHECK(sensors.watch.instances("power") ==
        std::vector<std::string>{"amdgpu PPT", "AC", "BAT0", "package-0", "package-0 core"});
  sensors.files.write("sys/class/powercap/intel-rapl:0/energy_uj", "9015000000\n");
  sensors.watch.tick();
  CHECK(sensors.watch.value("power", "package-0", "processor watts") == Approx(15));
  CHECK(sensors.watch.value("power", "package-0 core", "processor watts") == 0);
  CHECK(sensors.watch.value("power", "amdgpu PPT", "watts") == Approx(35));
  CHECK(sensors.watch.value("power", "AC", "online") == 1);
  CHECK(sensors.watch.value("power", "BAT0", "charge %") == 87);
  CHECK(sensors.watch.value("power", "BAT0", "voltage") == Approx(12));
  CHECK(sensors.watch.value("power", "BAT0", "watts") ==
        Approx(18));  // 12 V * 1.5 A: it gives no power itself
  CHECK(sensors.watch.value("power", "BAT0", "energy full") == Approx(46));
  CHECK(sensors.watch.absence("power", "AC", "charge %") == Absence::not_readable);
}

TEST_CASE("A battery's power follows its current") {
  SensorWatch sensors;
  sensors.watch.tick();
  sensors.files.write("sys/class/power_supply/BAT0/current_now", "-500000\n");
  sensors.watch.tick();
  CHECK(sensors.watch.value("power", "BAT0", "watts") == Approx(-6));
}

TEST_CASE("An energy counter that starts anew gives no value for that second") {
  SensorWatch sensors;
  sensors.watch.tick();
  sensors.files.write("sys/class/powercap/intel-rapl:0/energy_uj", "12\n");
  sensors.watch.tick();
  CHECK(sensors.watch.absence("power", "package-0", "processor watts") == Absence::counter_reset);
}

TEST_CASE("Energy counters that only root may read are told, with what to do") {
  SensorWatch sensors;
  sensors.files.refuse("sys/class/powercap/intel-rapl:0/energy_uj", ErrorCode::permission);
  sensors.files.refuse("sys/class/powercap/intel-rapl:0:0/energy_uj", ErrorCode::permission);
  sensors.watch.tick();
  REQUIRE(sensors.watch.newest().problems.size() == 1);
  CHECK(sensors.watch.newest().problems[0].code == ErrorCode::permission);
  CHECK_FALSE(sensors.watch.newest().problems[0].fix.empty());
  CHECK(sensors.watch.instances("power") == std::vector<std::string>{"amdgpu PPT", "AC", "BAT0"});
}

TEST_CASE("Hard disks are asked every five minutes, so that they can sleep") {
  SensorWatch sensors;
  for (int i = 0; i < 300; ++i) sensors.watch.tick();
  CHECK(sensors.files.reads_of("sys/class/hwmon/hwmon3/temp1_input") == 1);
  CHECK(sensors.files.reads_of("sys/class/hwmon/hwmon0/temp1_input") == 300);
  sensors.files.write("sys/class/hwmon/hwmon3/temp1_input", "35000\n");
  CHECK(sensors.watch.value("temperature", "drivetemp temp1", "current") == Approx(31));
  sensors.watch.tick();
  CHECK(sensors.watch.value("temperature", "drivetemp temp1", "current") == Approx(35));
}

TEST_CASE("A sensor that does not answer has no value and takes no other with it") {
  SensorWatch sensors;
  sensors.watch.tick();
  sensors.files.refuse("sys/class/hwmon/hwmon0/temp1_input", ErrorCode::unavailable);
  sensors.files.write("sys/class/hwmon/hwmon0/temp2_input", "N/A\n");
  sensors.watch.tick();
  CHECK(sensors.watch.absence("temperature", "coretemp Package id 0", "current") == Absence::not_readable);
  CHECK(sensors.watch.absence("temperature", "coretemp Core 0", "current") == Absence::not_readable);
  CHECK(sensors.watch.value("temperature", "nvme nvme0 Composite", "current") == Approx(38.85));
}

TEST_CASE("Sensors that come are found within a minute") {
  SensorWatch sensors;
  sensors.watch.tick();
  sensors.files.write("sys/class/power_supply/mouse/capacity", "40\n");
  for (int i = 0; i < 60; ++i) sensors.watch.tick();
  CHECK(sensors.watch.value("power", "mouse", "charge %") == 40);
}

TEST_CASE("A machine without sensors is no failure") {
  SensorWatch sensors("cpu_holes");
  CHECK_FALSE(sensors.watch.tick());
  CHECK(sensors.watch.refusal()->code == ErrorCode::unavailable);
}
