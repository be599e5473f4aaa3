#include "tests/support/history_world.hpp"

#include <atomic>
#include <catch_amalgamated.hpp>
#include <random>

#include "collectors/core/cook.hpp"
#include "server/query/counter_path.hpp"

namespace countertop::test {

TempDirectory::TempDirectory() {
  static std::atomic<int> number{0};
  std::random_device random;
  path_ = std::filesystem::temp_directory_path() /
          ("countertop-test-" + std::to_string(random()) + "-" + std::to_string(++number));
  std::filesystem::create_directories(path_);
}

TempDirectory::~TempDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

ObjectHandle disk_object() {
  auto object = std::make_shared<ObjectDefinition>();
  object->name = "disk";
  object->help = "Made up.";
  object->instanced = true;
  object->fields = {{"reads", Backward::reset, 0, 1e6},
                    {"queue", Backward::gauge, 0, 0},
                    {"busy", Backward::floor_small, 2, 0},
                    {"total", Backward::reset, 0, 0}};
  object->counters = {
      {"reads/s", "Rate.", "1/s", CounterType::bulk_count, {{0, 1}}, {}, 1.0},
      {"queue", "Gauge.", "", CounterType::large_raw_count, {{1, 1}}, {}, 0.5},
      {"busy", "Share.", "%", CounterType::sample_fraction, {{2, 1}}, {{3, 1}}, 1.0},
      {"ticks per read", "Average.", "", CounterType::average_bulk, {{2, 1}}, {{0, 1}}, 1.0},
  };
  return object;
}

ObjectHandle process_object() {
  auto object = std::make_shared<ObjectDefinition>();
  object->name = "process";
  object->help = "Made up.";
  object->instanced = true;
  object->grouped = true;
  object->fields = {{"cpu", Backward::reset, 0, 0}, {"resident", Backward::gauge, 0, 0}};
  object->counters = {
      {"cpu", "Rate.", "% of one CPU", CounterType::bulk_count, {{0, 1}}, {}, 1.0},
      {"resident bytes", "Gauge.", "bytes", CounterType::large_raw_count, {{1, 1}}, {}, 1.0},
  };
  object->notable = NotableRule{5, {{0, 1}}, 10};
  return object;
}

std::uint64_t Machine::random() {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return state_;
}

std::vector<Snapshot> Machine::tick() {
  const auto jitter = static_cast<std::int64_t>(random() % 21) - 10;
  wall_ms_ += 1000;
  perf_ms_ += 1000;
  ++count_;
  TimeBase time;
  time.wall_ms = wall_ms_ + jitter;
  time.perf_time = (perf_ms_ + jitter) * 10;
  Snapshot disks{disk, time, {{"vda"}, {"vdb"}}, {}};
  total_ += 100;
  for (int i = 0; i < 2; ++i) {
    reads_[i] += static_cast<std::int64_t>(random() % 500);
    busy_[i] += static_cast<std::int64_t>(random() % 100);
    disks.values.insert(disks.values.end(),
                        {reads_[i], static_cast<std::int64_t>(random() % 9), busy_[i], total_});
  }
  time.wall_ms += 2;
  time.perf_time += 20;
  Snapshot table{process, time, {}, {}};
  for (auto& [name, one] : processes_) {
    table.instances.push_back({name, one.is_new});
    const bool rests = name.starts_with("worker") && random() % 20 != 0;
    if (!rests) one.cpu += static_cast<std::int64_t>(random() % 3);
    one.is_new = false;
    const auto pages = static_cast<std::int64_t>(rests ? 100 : 100 + random() % 50);
    table.values.insert(table.values.end(), {one.cpu, 4096 * pages});
  }
  return {std::move(disks), std::move(table)};
}

history::WriterOptions writer_options(const std::filesystem::path& directory) {
  return {directory, "testhost", "boot-1", "1.2.3"};
}

Recording::Recording(std::int64_t start_ms) : machine(start_ms) {
  auto opened = history::HistoryWriter::open(writer_options(directory.path()), machine.wall_ms());
  REQUIRE(opened);
  writer = std::move(*opened);
}

void Recording::run(int seconds) {
  for (int i = 0; i < seconds; ++i) {
    const auto snapshots = machine.tick();
    const auto report = writer->write(snapshots, {}, machine.wall_ms());
    if (!report) FAIL(report.error().message);
    if (keeps_all) all.insert(all.end(), snapshots.begin(), snapshots.end());
  }
}

void Recording::maintain() {
  if (maintenance == nullptr) {
    auto opened = history::Maintenance::open(directory.path(), {});
    REQUIRE(opened);
    maintenance = std::move(*opened);
  }
  const auto done = maintenance->run(machine.wall_ms());
  if (!done) FAIL(done.error().message);
}

void Recording::reopen(bool in_order, const std::string& boot_id) {
  if (in_order) REQUIRE(writer->close(machine.wall_ms()));
  writer.reset();
  machine.skip(60'000);
  auto options = writer_options(directory.path());
  options.boot_id = boot_id;
  auto opened = history::HistoryWriter::open(options, machine.wall_ms());
  REQUIRE(opened);
  writer = std::move(*opened);
}

history::HistoryReader& Recording::reader() {
  if (reader_ == nullptr) {
    auto opened = history::HistoryReader::open(directory.path());
    REQUIRE(opened);
    reader_ = std::move(*opened);
  }
  return *reader_;
}

query::Answer Recording::query(const query::Request& request) {
  auto answer = reader().query(request);
  if (!answer) FAIL(answer.error().message);
  return std::move(*answer);
}

query::Request raw_request(const std::vector<std::string>& paths, std::int64_t from_ms, std::int64_t to_ms) {
  query::Request request;
  for (const std::string& path : paths) {
    auto parsed = query::parse_counter_path(path);
    REQUIRE(parsed);
    request.series.push_back(*parsed);
  }
  request.range = {from_ms, to_ms};
  return request;
}

query::Request bucket_request(const std::vector<std::string>& paths, std::int64_t from_ms, std::int64_t to_ms,
                              std::int64_t step_ms, query::Tier tier) {
  query::Request request = raw_request(paths, from_ms, to_ms);
  request.grid.start_ms = from_ms;
  request.grid.step_ms = step_ms;
  request.grid.count = static_cast<std::size_t>((to_ms - from_ms + step_ms - 1) / step_ms);
  request.tier = tier;
  request.aggregates = {query::Aggregate::average, query::Aggregate::minimum, query::Aggregate::maximum,
                        query::Aggregate::last, query::Aggregate::count};
  return request;
}

std::map<std::int64_t, double> cooked(const std::vector<Snapshot>& snapshots, const std::string& object,
                                      const std::string& instance, const std::string& counter) {
  std::map<std::int64_t, double> values;
  const Snapshot* before = nullptr;  // of the object
  const Snapshot* older = nullptr;   // with the instance
  std::size_t older_row = 0;
  for (const Snapshot& snapshot : snapshots) {
    if (snapshot.object->name != object) continue;
    const CounterDefinition& definition = *snapshot.object->find_counter(counter);
    bool found = false;
    for (std::size_t i = 0; i < snapshot.instances.size(); ++i) {
      if (snapshot.instances[i].name != instance) continue;
      found = true;
      const RawSample newer{snapshot.row(i), snapshot.time};
      Cooked value;
      if (older != nullptr) {
        const RawSample old_sample{older->row(older_row), older->time};
        value = cook(*snapshot.object, definition, &old_sample, newer);
      } else if (snapshot.instances[i].counts_from_zero && before != nullptr) {
        value = cook_from_zero(*snapshot.object, definition, before->time, newer);
      } else {
        value = cook(*snapshot.object, definition, nullptr, newer);
      }
      if (value.has_value()) values[snapshot.time.wall_ms] = value.value;
      older_row = i;
    }
    older = found ? &snapshot : nullptr;
    before = &snapshot;
  }
  return values;
}

}  // namespace countertop::test
