#include "collectors/perflib/instance_names.hpp"

#include <catch2/catch_test_macros.hpp>

#include "collectors/core/cook.hpp"
#include "collectors/perflib/name_table.hpp"
#include "collectors/perflib/snapshot_reader.hpp"
#include "tests/support/perflib_encoder.hpp"

namespace countertop::perflib {
namespace {

using Names_ = std::vector<std::string>;

constexpr auto kRaw = static_cast<std::uint32_t>(CounterType::raw_count);
constexpr auto kTimer = static_cast<std::uint32_t>(CounterType::timer_100ns);
constexpr auto kElapsed = static_cast<std::uint32_t>(CounterType::elapsed_time);
constexpr std::int64_t kSecond = 10'000'000;
constexpr std::int64_t kStart = 116'444'736'000'000'000 + 1'700'000'000 * kSecond;

struct Process {
  std::u16string name;
  std::int64_t pid, start, cpu;
};

test::EncodedBlock processes_at(std::int64_t second, const std::vector<Process>& processes) {
  test::EncodedBlock block;
  block.perf_time = block.perf_time_100ns = kStart + second * kSecond;
  test::EncodedObject object{
      known::kProcess,
      {{6, kTimer, 8}, {known::kIdProcess, kRaw, 4}, {known::kElapsedTime, kElapsed, 8}},
      {}};
  object.perf_time = kStart + second * kSecond;
  for (const auto& one : processes) object.instances.push_back({one.name, {one.cpu, one.pid, one.start}});
  block.objects.push_back(std::move(object));
  return block;
}

NamedInstances named(const test::EncodedBlock& source) {
  const auto bytes = test::encode_block(source);
  DataBlock block;
  REQUIRE(parse_data_block(bytes, block));
  return name_instances(block, block.objects.front());
}

TEST_CASE("processes of one name are told apart by number and start") {
  const auto result = named(processes_at(10, {{u"Idle", 0, 0, 0},
                                              {u"svchost", 812, kStart, 0},
                                              {u"svchost", 900, kStart + kSecond, 0},
                                              {u"svchost", 812, kStart + 2 * kSecond, 0},
                                              {u"_Total", 0, 0, 0}}));
  CHECK(result.names == Names_{"Idle:0@0", "svchost:812@1700000000", "svchost:900@1700000001",
                               "svchost:812@1700000002", "_Total:0@0"});
  CHECK(result.quarantined == 0);
}

TEST_CASE("a dying process with number 0 and a doubled row are quarantined, the rest stays") {
  const auto result = named(processes_at(
      10, {{u"gone", 0, 0, 0}, {u"a", 5, kStart, 0}, {u"a", 5, kStart, 0}, {u"b", 6, kStart, 0}}));
  CHECK(result.names == Names_{"", "a:5@1700000000", "", "b:6@1700000000"});
  CHECK(result.quarantined == 2);
}

TEST_CASE("no rate is taken between two processes when an earlier one of the name exits") {
  SnapshotReader reader;
  const Names names;
  const auto read = [&](const test::EncodedBlock& source) {
    const auto bytes = test::encode_block(source);
    DataBlock block;
    REQUIRE(parse_data_block(bytes, block));
    return reader.read(block, names).snapshots.front();
  };
  const Snapshot before = read(processes_at(10, {{u"chrome", 1, kStart, 100 * kSecond},
                                                 {u"chrome", 2, kStart, 50 * kSecond},
                                                 {u"chrome", 3, kStart, 1 * kSecond}}));
  const Snapshot after = read(processes_at(11, {{u"chrome", 2, kStart, 50 * kSecond + kSecond / 2},
                                                {u"chrome", 3, kStart, 1 * kSecond},
                                                {u"chrome", 4, kStart + 10 * kSecond, kSecond / 4}}));
  REQUIRE(after.instances.size() == 3);
  CHECK(after.instances[0] == InstanceName{"chrome:2@1700000000", false});
  CHECK(after.instances[1] == InstanceName{"chrome:3@1700000000", false});
  CHECK(after.instances[2] == InstanceName{"chrome:4@1700000010", true});
  const auto* cpu = after.object->find_counter("% Processor Time");
  REQUIRE(cpu != nullptr);
  const RawSample older{before.row(1), before.time};
  const RawSample newer{after.row(0), after.time};
  CHECK(cook(*after.object, *cpu, &older, newer).value == 50.0);
  CHECK(cook_from_zero(*after.object, *cpu, before.time, {after.row(2), after.time}).value == 25.0);
}

TEST_CASE("threads are named by process number and thread number") {
  test::EncodedBlock source = processes_at(10, {{u"Idle", 0, 0, 0}, {u"app", 7, kStart, 0}});
  test::EncodedObject threads{
      known::kThread,
      {{known::kIdProcess, kRaw, 4}, {known::kIdThread, kRaw, 4}, {known::kElapsedTime, kElapsed, 8}},
      {}};
  threads.instances.push_back({u"0", {0, 0, 0}, known::kProcess, 0});
  threads.instances.push_back({u"1", {0, 0, 0}, known::kProcess, 0});
  threads.instances.push_back({u"0", {7, 70, kStart}, known::kProcess, 1});
  threads.instances.push_back({u"1", {7, 71, kStart}, known::kProcess, 1});
  threads.instances.push_back({u"2", {7, 0, 0}, known::kProcess, 1});
  source.objects.insert(source.objects.begin(), threads);
  const auto result = named(source);
  CHECK(result.names == Names_{"Idle/0", "Idle/1", "app:7/70@1700000000", "app:7/71@1700000000", ""});
  CHECK(result.quarantined == 1);
}

TEST_CASE("N equal names are N series, by unique id where there is one") {
  test::EncodedBlock source;
  test::EncodedObject object{9000, {{10, kRaw, 4}}, {}};
  object.instances = {{u"a", {1}},           {u"a", {2}},           {u"a#1", {3}},          {u"a", {4}},
                      {u"b", {5}, 0, 0, 77}, {u"b", {6}, 0, 0, 78}, {u"", {7}, 0, 0, 4242}, {u"", {8}}};
  source.objects.push_back(object);
  CHECK(named(source).names == Names_{"a", "a#1", "a#1#1", "a#2", "b", "b#78", "#4242", ""});
}

TEST_CASE("a child is named below its parent") {
  test::EncodedBlock source;
  source.objects.push_back(
      {236, {{10, kRaw, 4}}, {{u"C:", {1}, 234, 1}, {u"D:", {2}, 234, 9}, {u"E:", {3}, 999, 0}}});
  source.objects.push_back({234, {{12, kRaw, 4}}, {{u"0", {1}}, {u"1", {2}}}});
  CHECK(named(source).names == Names_{"1/C:", "D:", "E:"});
}

TEST_CASE("processor groups of 48 and 16 CPUs, and four of 36, are all there") {
  const auto groups = [](std::initializer_list<int> sizes) {
    test::EncodedObject object{1848, {{6, kTimer, 8}}, {}};
    int group = 0;
    for (const int size : sizes) {
      for (int cpu = 0; cpu < size; ++cpu) {
        const std::string name = std::to_string(group) + "," + std::to_string(cpu);
        object.instances.push_back({std::u16string(name.begin(), name.end()), {cpu}});
      }
      ++group;
    }
    test::EncodedBlock block;
    block.objects.push_back(std::move(object));
    return named(block).names;
  };
  const auto uneven = groups({48, 16});
  CHECK(uneven.size() == 64);
  CHECK(uneven.front() == "0,0");
  CHECK(uneven[48] == "1,0");
  CHECK(uneven.back() == "1,15");
  CHECK(groups({36, 36, 36, 36}).size() == 144);
}

}  // namespace
}  // namespace countertop::perflib
