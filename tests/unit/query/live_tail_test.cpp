#include "server/query/live_tail.hpp"

#include <atomic>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <thread>

#include "server/query/counter_path.hpp"

namespace countertop::query {
namespace {

using Catch::Approx;
using namespace std::chrono_literals;

CounterDefinition rate(std::string name, std::uint16_t field) {
  CounterDefinition counter;
  counter.name = std::move(name);
  counter.unit = "bytes/s";
  counter.type = CounterType::bulk_count;
  counter.value = {{field, 1}};
  return counter;
}

CounterDefinition gauge(std::string name, std::uint16_t field) {
  CounterDefinition counter = rate(std::move(name), field);
  counter.unit = "bytes";
  counter.type = CounterType::large_raw_count;
  return counter;
}

ObjectHandle make_object(std::string name, bool instanced, bool grouped = false) {
  auto object = std::make_shared<ObjectDefinition>();
  object->name = std::move(name);
  object->instanced = instanced;
  object->grouped = grouped;
  object->fields = {{"read", Backward::reset, 0, 0}, {"resident", Backward::gauge, 0, 0}};
  object->counters = {rate("read bytes/s", 0), gauge("resident bytes", 1)};
  return object;
}

const ObjectHandle kDisk = make_object("disk", true);
const ObjectHandle kMemory = make_object("memory", false);
const ObjectHandle kProcess = make_object("process", true, true);

struct Row {
  std::string name;
  std::int64_t read, resident;
  bool born = false;
};

Snapshot at(const ObjectHandle& object, std::int64_t second, const std::vector<Row>& rows) {
  Snapshot snapshot;
  snapshot.object = object;
  snapshot.time.wall_ms = 1'796'040'000'000 + second * 1000;
  snapshot.time.perf_time = second * 10'000;
  for (const Row& row : rows) {
    snapshot.instances.push_back({row.name, row.born});
    snapshot.values.push_back(row.read);
    snapshot.values.push_back(row.resident);
  }
  return snapshot;
}

Result<LatestAnswer> ask(const LiveTail& tail, std::initializer_list<std::string_view> paths,
                         LatestOptions options = {}) {
  std::vector<CounterPath> parsed;
  for (const std::string_view path : paths) parsed.push_back(*parse_counter_path(path));
  return tail.latest(parsed, options);
}

LatestValue one(const LiveTail& tail, std::string_view path, bool with_raw = false) {
  const auto answer = ask(tail, {path}, {with_raw, 1000});
  INFO(path);
  REQUIRE(answer.has_value());
  REQUIRE(answer->values.size() == 1);
  return answer->values.front();
}

void publish(LiveTail& tail, Snapshot snapshot) {
  std::vector<Snapshot> list;
  list.push_back(std::move(snapshot));
  tail.publish(std::move(list));
}

TEST_CASE("The newest two snapshots give the newest values", "[live]") {
  LiveTail tail;
  CHECK(tail.sequence() == 0);
  publish(tail, at(kDisk, 1, {{"vda", 1000, 7}}));
  CHECK(one(tail, "disk(vda)/read bytes/s").absence == Absence::first_sample);
  CHECK(one(tail, "disk(vda)/resident bytes").value == 7);
  publish(tail, at(kDisk, 3, {{"vda", 5000, 8}}));
  const LatestValue value = one(tail, R"(\disk(vda)\read bytes/s)");
  CHECK(value.value == Approx(2000));
  CHECK(value.path == "disk(vda)/read bytes/s");
  CHECK(value.unit == "bytes/s");
  CHECK(value.time_ms == 1'796'040'003'000);
  CHECK(tail.sequence() == 2);
  publish(tail, at(kDisk, 4, {{"vda", 5100, 8}}));
  CHECK(one(tail, "disk(vda)/read bytes/s").value == Approx(100));
}

TEST_CASE("Wildcards give every instance and counter, each once", "[live]") {
  LiveTail tail;
  const std::vector<Snapshot> both{at(kDisk, 1, {{"vda", 0, 1}, {"vdb", 0, 2}, {"sda", 0, 3}}),
                                   at(kMemory, 1, {{"", 0, 9}})};
  tail.publish(both);
  const auto disks = ask(tail, {"disk(vd*)/resident bytes", "disk(*)/resident bytes"});
  REQUIRE(disks.has_value());
  REQUIRE(disks->values.size() == 3);
  CHECK(disks->values[0].path == "disk(vda)/resident bytes");
  CHECK(disks->values[2].instance == "sda");
  CHECK(ask(tail, {"memory/*"})->values.size() == 2);
  CHECK(ask(tail, {"*(*)/resident*"})->values.size() == 4);  // memory's one instance has no name
  CHECK(ask(tail, {"disk(nvme*)/resident bytes"})->values.empty());
  CHECK(ask(tail, {"disk(*)/*"}, {false, 3}).error().code == ErrorCode::too_large);
}

TEST_CASE("Rows are matched by name when instances come and go", "[live]") {
  LiveTail tail;
  publish(tail, at(kDisk, 1, {{"a", 10, 0}, {"b", 20, 0}, {"c", 30, 0}}));
  publish(tail, at(kDisk, 2, {{"c", 33, 0}, {"a", 11, 0}, {"new", 500, 0}, {"born", 7, 0, true}}));
  CHECK(one(tail, "disk(a)/read bytes/s").value == Approx(1));
  CHECK(one(tail, "disk(c)/read bytes/s").value == Approx(3));
  CHECK(one(tail, "disk(new)/read bytes/s").absence == Absence::first_sample);
  CHECK(one(tail, "disk(born)/read bytes/s").value == Approx(7));
  const auto gone = ask(tail, {"disk(b)/read bytes/s"});
  REQUIRE(gone.has_value());
  CHECK(gone->values.at(0).absence == Absence::not_readable);
  CHECK(std::isnan(gone->values.at(0).value));
  CHECK(gone->warnings.size() == 1);
}

TEST_CASE("A name without pid is the sum over its processes", "[live][T-L11]") {
  LiveTail tail;
  publish(tail, at(kProcess, 1, {{"nginx:1@5", 100, 10}, {"a:b:2@5", 0, 1}, {"nginx:3@5", 200, 20}}));
  publish(tail,
          at(kProcess, 2,
             {{"nginx:1@5", 101, 11}, {"a:b:2@5", 9, 1}, {"nginx:3@5", 202, 21}, {"nginx:4@6", 50, 5}}));
  const LatestValue reads = one(tail, "process(nginx)/read bytes/s", true);
  CHECK(reads.value == Approx(3));  // the third has no interval yet
  CHECK(reads.path == "process(nginx)/read bytes/s");
  REQUIRE(reads.raw.has_value());
  CHECK(reads.raw->parts.newer_value - reads.raw->parts.older_value == 3);
  CHECK(one(tail, "process(nginx)/resident bytes").value == 37);
  CHECK(one(tail, "process(a:b)/read bytes/s").value == Approx(9));
  CHECK(one(tail, "process(nginx:3@5)/read bytes/s").value == Approx(2));
  CHECK(one(tail, "process(a)/read bytes/s").absence == Absence::not_readable);
  CHECK(ask(tail, {"process(*)/resident bytes"})->values.size() == 4);
}

TEST_CASE("raw shows the samples and the formula behind a value", "[live]") {
  LiveTail tail;
  publish(tail, at(kDisk, 1, {{"vda", 1000, 7}}));
  CHECK_FALSE(one(tail, "disk(vda)/read bytes/s", true).raw.has_value());
  publish(tail, at(kDisk, 3, {{"vda", 5000, 8}, {"new", 60, 0, true}}));
  const LatestValue value = one(tail, "disk(vda)/read bytes/s", true);
  CHECK(value.formula == "(N1 - N0) / ((T1 - T0) / frequency)");
  REQUIRE(value.raw.has_value());
  const CookedParts p = value.raw->parts;
  CHECK(p.older_value == 1000);
  CHECK(p.newer_value == 5000);
  CHECK((p.newer_value - p.older_value) / ((p.newer_time - p.older_time) / p.time_frequency) ==
        Approx(value.value));
  CHECK(one(tail, "disk(new)/read bytes/s", true).raw->parts.older_value == 0);
  CHECK_FALSE(one(tail, "disk(vda)/read bytes/s").raw.has_value());
}

TEST_CASE("What does not exist is not found, with near names", "[live]") {
  LiveTail tail;
  publish(tail, at(kDisk, 1, {{"vda", 1000, 7}}));
  const auto object = ask(tail, {"dsik(vda)/read bytes/s"});
  REQUIRE_FALSE(object.has_value());
  CHECK(object.error().code == ErrorCode::not_found);
  CHECK(object.error().message == "there is no object 'dsik', did you mean 'disk'?");
  const auto counter = ask(tail, {"disk(vda)/read bytes"});
  REQUIRE_FALSE(counter.has_value());
  CHECK(counter.error().message.find("did you mean 'read bytes/s'") != std::string::npos);
  const auto bare = ask(tail, {"disk/read bytes/s"});
  REQUIRE_FALSE(bare.has_value());
  CHECK(bare.error().code == ErrorCode::invalid_argument);
  CHECK(bare.error().fix == "write disk(*)/read bytes/s for all of them");
}

TEST_CASE("Processes come as a table with every counter", "[live]") {
  LiveTail tail;
  CHECK(tail.processes().rows.empty());
  publish(tail, at(kProcess, 1, {{"nginx:1@5", 100, 10}, {"odd", 1, 1}}));
  publish(tail, at(kProcess, 2, {{"nginx:1@5", 101, 11}, {"odd", 1, 1}}));
  const ProcessTable table = tail.processes();
  CHECK(table.counters == std::vector<std::string>{"read bytes/s", "resident bytes"});
  CHECK(table.units.front() == "bytes/s");
  CHECK(table.time_ms == 1'796'040'002'000);
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].name == "nginx");
  CHECK(table.rows[0].pid == 1);
  CHECK(table.rows[0].start_s == 5);
  CHECK(table.rows[0].values == std::vector<double>{1, 11});
}

TEST_CASE("Objects and instances of now are listed", "[live]") {
  LiveTail tail;
  tail.publish(std::vector<Snapshot>{at(kMemory, 1, {{"", 0, 9}}), at(kDisk, 1, {{"b", 0, 0}, {"a", 0, 0}})});
  REQUIRE(tail.objects().size() == 2);
  CHECK(tail.objects()[0]->name == "disk");
  CHECK(tail.instances("disk") == std::vector<std::string>{"b", "a"});
  CHECK(tail.instances("x").empty());
  CHECK(tail.newest("memory")->row(0)[1] == 9);
  CHECK(tail.newest("x") == nullptr);
}

TEST_CASE("The number of objects is bounded, and a changed definition begins anew", "[live]") {
  LiveTail tail;
  for (std::size_t i = 0; i < LiveTail::kMaxObjects + 10; ++i) {
    publish(tail, at(make_object("o" + std::to_string(i), false), 1, {{"", 0, 0}}));
  }
  CHECK(tail.objects().size() == LiveTail::kMaxObjects);
  publish(tail, at(make_object("o0", false), 2, {{"", 5, 0}}));
  CHECK(one(tail, "o0/read bytes/s").absence == Absence::first_sample);
}

TEST_CASE("Waiting ends with newer data, the timeout or a stop request", "[live]") {
  LiveTail tail;
  CHECK_FALSE(tail.wait_newer(0, 0ms).has_value());
  publish(tail, at(kDisk, 1, {{"vda", 0, 0}}));
  CHECK(tail.wait_newer(0, 1h) == 1);
  {
    const std::jthread publisher([&] { publish(tail, at(kDisk, 2, {{"vda", 0, 0}})); });
    CHECK(tail.wait_newer(1, 1h) == 2);
  }
  std::stop_source stop;
  const std::jthread stopper([&] { stop.request_stop(); });
  CHECK_FALSE(tail.wait_newer(2, 1h, stop.get_token()).has_value());
}

TEST_CASE("Many readers read while a writer publishes", "[live]") {
  LiveTail tail;
  std::atomic<bool> wrong = false;
  {
    std::vector<std::jthread> readers;
    for (int i = 0; i < 4; ++i) {
      readers.emplace_back([&] {
        const CounterPath path = *parse_counter_path("disk(*)/read bytes/s");
        for (std::uint64_t seen = 0; seen < 300;) {
          seen = tail.wait_newer(seen, 1h).value_or(300);
          const auto answer = tail.latest(std::span(&path, 1));
          if (!answer || answer->values.size() != 1) wrong = true;
          // Both snapshots are always of one pair: the rate is the same in every one.
          if (answer && answer->values[0].absence == Absence::none && answer->values[0].value != 1000)
            wrong = true;
        }
      });
    }
    for (std::int64_t second = 1; second <= 300; ++second) {
      publish(tail, at(kDisk, second, {{"vda", second * 1000, 0}}));
    }
  }
  CHECK_FALSE(wrong);
}

}  // namespace
}  // namespace countertop::query
