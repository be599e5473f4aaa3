#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "collectors/proc/disk_parser.hpp"
#include "tests/unit/proc/machine_watch.hpp"

using namespace countertop;
using namespace countertop::test;
using Catch::Approx;

namespace {
constexpr std::string_view kDisk = "nvme0n1";

/// The disk goes from the fixture's numbers to these within one second.
struct DiskSecond {
  explicit DiskSecond(std::string_view columns) : watch(files) {
    watch.tick();
    files.write("proc/diskstats", " 259 0 nvme0n1 " + std::string(columns) + "\n");
    watch.tick();
  }
  double value(std::string_view counter) const { return watch.value("disk", kDisk, counter); }
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch;
};
}  // namespace

TEST_CASE("A disk's second: operations, bytes, time per operation, share of time, queue") {
  // from: 50000 1200 4000000 25000 80000 9000 6400000 160000 2 90000 190000 300 0 120000 90 4000 8000
  const DiskSecond disk(
      "50100 1210 4002000 25050 80200 9040 6404000 160800 5 90250 191500 310 0 121000 95 4004 8020");
  CHECK(disk.value("reads/s") == Approx(100));
  CHECK(disk.value("writes/s") == Approx(200));
  CHECK(disk.value("read bytes/s") == Approx(2000 * 512));
  CHECK(disk.value("write bytes/s") == Approx(4000 * 512));
  CHECK(disk.value("seconds per read") == Approx(0.0005));
  CHECK(disk.value("seconds per write") == Approx(0.004));
  CHECK(disk.value("busy %") == Approx(25));
  CHECK(disk.value("queue length") == Approx(1.5));
  CHECK(disk.value("in flight") == 5);
  CHECK(disk.value("bytes per read") == Approx(10240));
  CHECK(disk.value("bytes per write") == Approx(10240));
  CHECK(disk.value("reads merged/s") == Approx(10));
  CHECK(disk.value("writes merged/s") == Approx(40));
  CHECK(disk.value("discards/s") == Approx(10));
  CHECK(disk.value("discard bytes/s") == Approx(1000 * 512));
  CHECK(disk.value("seconds per discard") == Approx(0.0005));
  CHECK(disk.value("flushes/s") == Approx(4));
  CHECK(disk.value("seconds per flush") == Approx(0.005));
}

TEST_CASE("An idle disk has no latency, which is not zero") {
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch(files);
  watch.tick();
  watch.tick();
  CHECK(watch.value("disk", kDisk, "reads/s") == 0);
  CHECK(watch.absence("disk", kDisk, "seconds per read") == Absence::zero_base);
  CHECK(watch.value("disk", kDisk, "busy %") == 0);
}

TEST_CASE("Milliseconds of 32 bits wrap without a spike") {
  FakeProcRoot files{"two_cpus"};
  files.write("proc/diskstats", " 8 0 sda 10 0 80 4294967290 0 0 0 0 0 4294967200 4294967000\n");
  MachineWatch watch(files);
  watch.tick();
  files.write("proc/diskstats", " 8 0 sda 20 0 160 14 0 0 0 0 0 404 804\n");
  watch.tick();
  CHECK(watch.value("disk", "sda", "seconds per read") == Approx(0.002));
  CHECK(watch.value("disk", "sda", "busy %") == Approx(50));
  CHECK(watch.value("disk", "sda", "queue length") == Approx(1.1));
}

TEST_CASE("A disk that was taken out and put in again gives no value for that second") {
  const DiskSecond disk("3 0 24 1 0 0 0 0 0 1 1 0 0 0 0 0 0");
  CHECK(disk.watch.absence("disk", kDisk, "reads/s") == Absence::counter_reset);
  CHECK_FALSE(disk.watch.cooked("disk", kDisk, "seconds per read").has_value());
  CHECK(disk.watch.absence("disk", kDisk, "busy %") == Absence::implausible);
}

TEST_CASE("Loop devices show once they have been used; partitions always") {
  FakeProcRoot files{"two_cpus"};
  MachineWatch watch(files);
  watch.tick();
  CHECK(watch.instances("disk") == std::vector<std::string>{"loop1", "nvme0n1", "nvme0n1p1", "dm-0"});
}

TEST_CASE("Disks of old kernels have what they had then") {
  FakeProcRoot files{"old_kernel"};
  MachineWatch watch(files);
  watch.tick();
  CHECK(watch.instances("disk") == std::vector<std::string>{"sda", "sda1", "sda2"});
  files.write("proc/diskstats",
              " 8 0 sda 1010 20 8080 505 2000 30 16000 900 0 700 1400\n 8 1 sda1 1000 7980 2000 16000\n");
  watch.tick();
  CHECK(watch.value("disk", "sda", "reads/s") == Approx(10));
  CHECK(watch.absence("disk", "sda", "discards/s") == Absence::not_readable);
  CHECK(watch.value("disk", "sda1", "read bytes/s") == Approx(80 * 512));
  CHECK(watch.absence("disk", "sda1", "busy %") == Absence::not_readable);
}

TEST_CASE("A line that is not understood takes no other with it and is told") {
  FakeProcRoot files{"two_cpus"};
  files.write("proc/diskstats",
              " 8 0 sda 1 2 3\n 8 16 sdb 1 0 8 1 0 0 0 0 0 1 1\n 8 32 sdc 1 x 8 1 0 0 0 0 0 1 1\n");
  MachineWatch watch(files);
  watch.tick();
  CHECK(watch.instances("disk") == std::vector<std::string>{"sdb"});
  CHECK(watch.has_problem("2 lines not understood"));
}

TEST_CASE("Disks: every cut of the text gives whole rows only", "[parse]") {
  const FakeProcRoot files{"two_cpus"};
  const std::string& text = files.text("proc/diskstats");
  std::vector<proc::DiskRow> whole, part;
  REQUIRE(proc::parse_disks(text, whole) == 0);
  REQUIRE(whole.size() == 5);
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string cut = text.substr(0, length);
    (void)proc::parse_disks(cut, part);
    REQUIRE(part.size() <= whole.size());
    for (std::size_t i = 0; i < part.size(); ++i) {
      REQUIRE(part[i].name == whole[i].name);
      REQUIRE(part[i].values == whole[i].values);
    }
  }
}
