#include "tests/support/api_world.hpp"

namespace countertop::test {
namespace {

Snapshot snapshot_of(const ObjectHandle& object, std::int64_t wall_ms, std::vector<std::string> instances,
                     std::vector<std::int64_t> values) {
  Snapshot snapshot;
  snapshot.object = object;
  snapshot.time.wall_ms = wall_ms;
  snapshot.time.perf_time = wall_ms * 10;
  for (std::string& name : instances) snapshot.instances.push_back({std::move(name), false});
  snapshot.values = std::move(values);
  return snapshot;
}

const std::vector<std::string> kCpus{"0", "1", "total"};
const std::vector<std::string> kDisks{"vda", "=cmd()", "a\"b,c"};
const std::vector<std::string> kProcesses{"nginx:812@1764500000", "nginx:813@1764500000",
                                          "a) S 1 (b:14@1764500001"};

}  // namespace

ObjectHandle make_cpu() {
  ObjectDefinition object;
  object.name = "cpu";
  object.help = "Share of time that the CPUs worked.";
  object.instanced = true;
  object.fields = {{"busy", Backward::reset}, {"idle", Backward::reset}};
  object.counters = {
      {"busy", "Not idle. Source: /proc/stat.", "%", CounterType::sample_fraction, {{0}}, {{0}, {1}}},
      {"user", "In programs.", "%", CounterType::sample_fraction, {{0}}, {{0}, {1}}}};
  return std::make_shared<const ObjectDefinition>(std::move(object));
}

ObjectHandle make_memory() {
  ObjectDefinition object;
  object.name = "memory";
  object.help = "Memory of the machine.";
  object.fields = {{"total"}, {"available"}};
  object.counters = {
      {"total", "All of it.", "bytes", CounterType::large_raw_count, {{0}}, {}},
      {"available", "What programs can have.", "bytes", CounterType::large_raw_count, {{1}}, {}},
      {"used", "The rest.", "bytes", CounterType::large_raw_count, {{0}, {1, -1}}, {}}};
  return std::make_shared<const ObjectDefinition>(std::move(object));
}

ObjectHandle make_disk() {
  ObjectDefinition object;
  object.name = "disk";
  object.help = "Disks and partitions.";
  object.instanced = true;
  object.fields = {{"sectors", Backward::reset}};
  object.counters = {
      {"read bytes/s", "Bytes read.\nIn \\ two lines.", "bytes/s", CounterType::bulk_count, {{0}}, {}, 512}};
  return std::make_shared<const ObjectDefinition>(std::move(object));
}

ObjectHandle make_processes() {
  ObjectDefinition object;
  object.name = "process";
  object.help = "Processes.";
  object.instanced = true;
  object.grouped = true;
  object.fields = {{"ticks", Backward::reset}, {"resident"}};
  object.counters = {{"cpu", "CPU time.", "% of one CPU", CounterType::timer, {{0}}, {}, 100},
                     {"resident bytes", "Memory.", "bytes", CounterType::large_raw_count, {{1}}, {}}};
  return std::make_shared<const ObjectDefinition>(std::move(object));
}

api::AccessPolicy ApiWorld::default_policy() {
  return {{"counter.example"}, false, std::string(kToken), [] { return std::string(64, 'a'); }};
}

ApiWorld::ApiWorld(api::AccessPolicy policy) {
  clock.step_wall_ms(kNowMs - clock.wall_ms());
  history.add(make_cpu(), kCpus);
  history.add(make_memory(), {""});
  history.add(make_disk(), kDisks);
  history.add(make_processes(), kProcesses);
  status.version = "0.1.0";
  status.host = "machine";
  status.started_ms = kNowMs - 5000;
  api::Services services{history, live, marks, clock, [this] { return status; }, kNowMs - 5000, 1000, {4, 2}};
  api = std::make_unique<api::Api>(std::move(services), std::move(policy),
                                   [](const api::Request&) { return std::optional<api::Response>(); });
}

void ApiWorld::tick() { tick(ticks_ == 0 ? kNowMs : clock.wall_ms() + 1000); }

void ApiWorld::tick(std::int64_t wall_ms) {
  static const ObjectHandle cpu = make_cpu(), memory = make_memory(), disk = make_disk(),
                            process = make_processes();
  clock.step_wall_ms(wall_ms - clock.wall_ms());
  const std::int64_t n = ++ticks_;
  std::vector<Snapshot> snapshots;
  snapshots.push_back(snapshot_of(cpu, wall_ms, kCpus, {n * 25, n * 75, n * 75, n * 25, n * 100, n * 100}));
  snapshots.push_back(snapshot_of(memory, wall_ms, {""}, {1000, 400}));
  snapshots.push_back(snapshot_of(disk, wall_ms, kDisks, {n * 2, n * 4, n * 6}));
  snapshots.push_back(snapshot_of(process, wall_ms, kProcesses, {n * 10, 4096, n * 20, 8192, n, 100}));
  live.publish(std::move(snapshots));
}

api::Response ApiWorld::get(std::string_view target, const std::map<std::string, std::string>& headers) {
  return send("GET", target, headers);
}

api::Response ApiWorld::send(std::string_view method, std::string_view target,
                             const std::map<std::string, std::string>& headers, std::string_view body) {
  api::Request request;
  request.method = method;
  api::set_target(request, target);
  for (const auto& [name, value] : headers) request.headers.emplace_back(name, value);
  if (!headers.contains("host")) request.headers.emplace_back("host", "localhost:7177");
  request.body = body;
  return api->handle(request);
}

api::Response ApiWorld::write(std::string_view method, std::string_view target, std::string_view body) {
  return send(method, target,
              {{"authorization", "Bearer " + std::string(kToken)}, {"content-type", "application/json"}},
              body);
}

Written run_stream(const api::Response& response, const std::stop_token& stop) {
  Written written;
  written.end = response.stream(
      [&](std::string_view text) {
        written.text += text;
        return true;
      },
      stop);
  return written;
}

}  // namespace countertop::test
