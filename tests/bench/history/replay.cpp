#include "tests/bench/history/replay.hpp"

#include <memory>
#include <string>

namespace countertop::bench {
namespace {

constexpr std::int64_t kBootMs = 86'400'000;  // the machine was started a day before the first row
constexpr std::int64_t kWindowSeconds = 1200;

TimeBase time_at(std::int64_t wall_ms, std::int64_t first_ms) {
  TimeBase time;
  time.wall_ms = wall_ms;
  time.perf_time = (wall_ms - first_ms + kBootMs) * (time.perf_frequency / 1000);
  return time;
}

Snapshot empty_snapshot(const test::CorpusObject& object) {
  Snapshot snapshot;
  snapshot.object = object.definition;
  for (const test::CorpusInstance& instance : object.instances)
    snapshot.instances.push_back({instance.name, false});
  snapshot.values.resize(object.instances.size() * object.definition->fields.size());
  return snapshot;
}

}  // namespace

CorpusReplay::CorpusReplay(const test::Corpus& corpus)
    : corpus_(&corpus), objects_(test::objects_of(corpus)) {
  for (const test::CorpusObject& object : objects_) snapshots_.push_back(empty_snapshot(object));
}

const std::vector<Snapshot>& CorpusReplay::row(std::size_t index) {
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    snapshots_[i].time = time_at(corpus_->time_ms[index], corpus_->time_ms.front());
    std::size_t value = 0;
    for (const test::CorpusInstance& instance : objects_[i].instances) {
      for (const std::size_t series : instance.series) {
        snapshots_[i].values[value++] = corpus_->series[series].values[index];
      }
    }
  }
  return snapshots_;
}

EndlessReplay::EndlessReplay(const test::Corpus& corpus, std::size_t series, std::int64_t start_ms)
    : corpus_(&corpus), now_ms_(start_ms) {
  const std::vector<test::CorpusObject> objects = test::objects_of(corpus);
  for (std::size_t copy = 0; paths_.size() < series; ++copy) {
    for (const test::CorpusObject& object : objects) {
      if (paths_.size() < series) add_object(object, copy);
    }
  }
}

void EndlessReplay::add_object(const test::CorpusObject& object, std::size_t copy) {
  test::CorpusObject mine = object;
  if (copy > 0) {
    auto definition = std::make_shared<ObjectDefinition>(*object.definition);
    definition->name += " " + std::to_string(copy + 1) + "nd";
    mine.definition = definition;
  }
  Part part{snapshots_.size(), copy * corpus_->time_ms.size() * 3 / 10, {}};
  snapshots_.push_back(empty_snapshot(mine));
  std::size_t value = 0;
  for (const test::CorpusInstance& instance : mine.instances) {
    for (std::size_t field = 0; field < instance.series.size(); ++field) {
      const test::CorpusSeries& series = corpus_->series[instance.series[field]];
      part.series.push_back(instance.series[field]);
      snapshots_.back().values[value++] = series.values.front();
      query::CounterPath path{"", mine.definition->name, std::nullopt, mine.definition->counters[field].name};
      if (mine.definition->instanced) path.instance = instance.name;
      paths_.push_back(path);
      if (series.changes()) changing_paths_.push_back(path);
    }
  }
  parts_.push_back(std::move(part));
}

const std::vector<Snapshot>& EndlessReplay::next() {
  const std::size_t rows = corpus_->time_ms.size();
  if (second_ % kWindowSeconds == 0) row_ = random_() % rows;
  const std::int64_t start_ms = now_ms_ - second_ * 1000;
  for (const Part& part : parts_) {
    Snapshot& snapshot = snapshots_[part.snapshot];
    const std::size_t row = (row_ + part.shift) % rows;
    const std::size_t before = row == 0 ? 0 : row - 1;  // the joint repeats the first difference
    const std::size_t after = row == 0 ? 1 : row;
    snapshot.time = time_at(now_ms_ + corpus_->time_ms[row] % 1000 / 4, start_ms);
    for (std::size_t i = 0; i < part.series.size(); ++i) {
      const test::CorpusSeries& series = corpus_->series[part.series[i]];
      if (series.kind == test::SeriesKind::counter) {
        snapshot.values[i] += series.values[after] - series.values[before];
      } else {
        snapshot.values[i] = series.values[row];
      }
    }
  }
  row_ = (row_ + 1) % rows;
  ++second_;
  now_ms_ += 1000;
  return snapshots_;
}

}  // namespace countertop::bench
