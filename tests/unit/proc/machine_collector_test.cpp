#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>
#include <stdexcept>

#include "collectors/proc/filesystem_collector.hpp"
#include "collectors/proc/sensor_objects.hpp"
#include "tests/unit/proc/machine_watch.hpp"

using namespace countertop;
using namespace countertop::test;

namespace {

class ThrowingPart final : public proc::MachinePart {
 public:
  [[nodiscard]] std::string_view name() const override { return "fickle thing"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override { return {}; }
  Result<void> read(proc::PartReading& reading) override {
    Snapshot half;
    half.object = proc::make_filesystem_object();
    reading.out.snapshots.push_back(half);
    throw std::runtime_error("lost its head");
  }
};

class SteadyPart final : public proc::MachinePart {
 public:
  [[nodiscard]] std::string_view name() const override { return "steady thing"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override { return {object_}; }
  Result<void> read(proc::PartReading& reading) override {
    reading.out.snapshots.push_back(proc::begin_snapshot(object_, read_time_base(reading.clock)));
    return {};
  }

 private:
  ObjectHandle object_ = proc::make_filesystem_object();
};

std::vector<ObjectHandle> all_objects() {
  FakeProcRoot files;
  auto objects = proc::make_machine_collector(files.tree(), {}, false)->objects();
  objects.push_back(proc::make_filesystem_object());
  objects.push_back(proc::make_temperature_object());
  objects.push_back(proc::make_power_object());
  return objects;
}

}  // namespace

TEST_CASE("A file that cannot be read takes nothing away from the others") {
  const std::pair<const char*, std::vector<const char*>> kFiles[] = {
      {"proc/stat", {"cpu", "system"}}, {"proc/meminfo", {"memory"}},  {"proc/loadavg", {"load"}},
      {"proc/diskstats", {"disk"}},     {"proc/net/dev", {"network"}}, {"proc/net/snmp", {"tcp", "udp"}},
  };
  const std::set<std::string> all = {"cpu",  "system",  "memory", "swap", "vm",      "load",
                                     "disk", "network", "tcp",    "udp",  "pressure"};
  for (const auto& [path, lost] : kFiles) {
    for (const ErrorCode code : {ErrorCode::permission, ErrorCode::io, ErrorCode::not_found}) {
      FakeProcRoot files{"two_cpus"};
      files.refuse(path, code);
      MachineWatch watch(files);
      REQUIRE(watch.tick());
      std::set<std::string> expected = all, got;
      for (const char* object : lost) expected.erase(object);
      for (const Snapshot& one : watch.newest().snapshots) got.insert(one.object->name);
      CAPTURE(path);
      CHECK(got == expected);
      CHECK(watch.has_problem(path));
    }
  }
}

TEST_CASE("A part that throws is a problem of its own and leaves nothing half done") {
  std::vector<std::unique_ptr<proc::MachinePart>> parts;
  parts.push_back(std::make_unique<ThrowingPart>());
  parts.push_back(std::make_unique<SteadyPart>());
  FakeProcRoot files;
  CollectorWatch watch(std::make_unique<proc::MachineCollector>(files.tree(), std::move(parts)));
  REQUIRE(watch.tick());
  CHECK(watch.newest().snapshots.size() == 1);
  REQUIRE(watch.newest().problems.size() == 1);
  CHECK(watch.newest().problems[0].message == "no fickle thing: lost its head");
}

TEST_CASE("Where nothing at all can be read the reading fails") {
  FakeProcRoot files;
  MachineWatch watch(files);
  CHECK_FALSE(watch.tick());
  REQUIRE(watch.refusal().has_value());
  CHECK(watch.refusal()->message.find("no cpu") != std::string::npos);
}

TEST_CASE("A file that is refused for a while comes back in the next reading") {
  FakeProcRoot files{"two_cpus"};
  files.refuse("proc/loadavg", ErrorCode::io);
  MachineWatch watch(files);
  watch.tick();
  CHECK(watch.snapshot("load") == nullptr);
  files.allow("proc/loadavg");
  watch.tick();
  CHECK(watch.snapshot("load") != nullptr);
  CHECK(watch.newest().problems.empty());
}

TEST_CASE("Snapshots are whole: one row for each instance, one value for each field, unique names") {
  for (const char* fixture : {"two_cpus", "cpu_holes", "old_kernel", "container"}) {
    FakeProcRoot files{fixture};
    MachineWatch watch(files, std::string_view(fixture) == "container");
    REQUIRE(watch.tick());
    std::set<std::string> objects;
    for (const Snapshot& one : watch.newest().snapshots) {
      CHECK(objects.insert(one.object->name).second);
      CHECK(one.values.size() == one.instances.size() * one.object->fields.size());
      std::set<std::string> names;
      for (const InstanceName& instance : one.instances) CHECK(names.insert(instance.name).second);
      CHECK(one.object->instanced == (one.instances.size() != 1 || !one.instances[0].name.empty()));
    }
  }
}

TEST_CASE("Every object is sound and every counter says what it is, its unit and its source") {
  std::set<std::string> names;
  for (const ObjectHandle& object : all_objects()) {
    CAPTURE(object->name);
    CHECK(why_invalid(*object) == "");
    CHECK(names.insert(object->name).second);
    CHECK_FALSE(object->help.empty());
    for (const CounterDefinition& counter : object->counters) {
      CAPTURE(counter.name);
      CHECK(counter.help.size() > 40);
      CHECK((counter.help.find("Source: ") != std::string::npos || counter.help.find("The same over") == 0));
      const auto type = describe(counter.type);
      REQUIRE(type.has_value());
      const bool is_rate = type->formula == Formula::rate;
      CHECK(is_rate == (counter.name.ends_with("/s") || counter.name == "processor watts"));
      CHECK(type->has_base == !counter.base.empty());
      if (counter.name.find("bytes/s") != std::string::npos) CHECK(counter.unit == "bytes/s");
      if (counter.name.ends_with(" %")) CHECK(counter.unit == "%");
    }
  }
  CHECK(names == std::set<std::string>{"cpu", "system", "memory", "swap", "vm", "load", "pressure", "disk",
                                       "network", "tcp", "udp", "filesystem", "temperature", "power"});
}

TEST_CASE("The names that clients are promised are there") {
  constexpr std::pair<std::string_view, std::string_view> kPromised[] = {
      {"cpu", "busy"},
      {"cpu", "user"},
      {"cpu", "nice"},
      {"cpu", "system"},
      {"cpu", "idle"},
      {"cpu", "iowait"},
      {"cpu", "irq"},
      {"cpu", "softirq"},
      {"cpu", "steal"},
      {"cpu", "guest"},
      {"memory", "total"},
      {"memory", "available"},
      {"memory", "used"},
      {"memory", "free"},
      {"memory", "cached"},
      {"memory", "buffers"},
      {"load", "1 min"},
      {"load", "5 min"},
      {"load", "15 min"},
      {"disk", "read bytes/s"},
      {"disk", "write bytes/s"},
      {"disk", "reads/s"},
      {"disk", "writes/s"},
      {"network", "received bytes/s"},
      {"network", "sent bytes/s"},
      {"pressure", "some"},
      {"pressure", "full"},
  };
  const auto objects = all_objects();
  for (const auto& [object, counter] : kPromised) {
    const auto found = std::ranges::find(
        objects, object, [](const ObjectHandle& one) -> std::string_view { return one->name; });
    CAPTURE(object, counter);
    REQUIRE(found != objects.end());
    CHECK((*found)->find_counter(counter) != nullptr);
  }
}
