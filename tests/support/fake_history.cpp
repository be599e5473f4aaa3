#include "tests/support/fake_history.hpp"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <limits>

#include "server/query/counter_path.hpp"
#include "server/query/plan.hpp"

namespace countertop::test {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

double aggregate_of(query::Aggregate aggregate, const std::vector<double>& values) {
  if (aggregate == query::Aggregate::count) return static_cast<double>(values.size());
  if (values.empty()) return kNothing;
  double sum = 0;
  for (const double value : values) sum += value;
  switch (aggregate) {
    case query::Aggregate::minimum:
      return *std::ranges::min_element(values);
    case query::Aggregate::maximum:
      return *std::ranges::max_element(values);
    case query::Aggregate::last:
      return values.back();
    case query::Aggregate::sum:
      return sum;
    default:
      return sum / static_cast<double>(values.size());
  }
}

}  // namespace

void FakeHistory::add(ObjectHandle object, std::vector<std::string> instances) {
  const std::string name = object->name;
  objects_[name] = {std::move(object), std::move(instances)};
}

double FakeHistory::value_at(const std::string& path, std::int64_t time_ms) const {
  if (time_ms < first_ms || time_ms > end_ms) return kNothing;
  return value ? value(path, time_ms) : static_cast<double>(time_ms / 1000 % 60);
}

Result<std::vector<query::SeriesAnswer>> FakeHistory::resolve(const query::Request& request) const {
  if (failure) return tl::unexpected(*failure);
  std::vector<query::SeriesAnswer> series;
  for (const query::CounterPath& path : request.series) {
    bool is_known = false;
    for (const auto& [name, object] : objects_) {
      if (!query::matches(path.object, name)) continue;
      for (const std::string& instance : object.instances) {
        if (path.instance && !query::matches(*path.instance, instance)) continue;
        for (const CounterDefinition& counter : object.definition->counters) {
          if (!query::matches(path.counter, counter.name)) continue;
          is_known = true;
          query::SeriesAnswer one;
          one.path = query::make_path(*object.definition, instance, counter.name);
          one.object = name;
          one.instance = instance;
          one.counter = counter.name;
          one.unit = counter.unit;
          one.type = counter.type;
          series.push_back(std::move(one));
        }
      }
    }
    if (!is_known)
      return fail(ErrorCode::not_found, "There is no such series.", "GET /api/v1/objects lists them.");
  }
  return series;
}

Result<query::Answer> FakeHistory::query(const query::Request& request, const std::stop_token& stop) {
  if (waits_for_stop) {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait(lock, stop, [] { return false; });
    return fail(ErrorCode::cancelled, "The query was cancelled.");
  }
  auto series = resolve(request);
  if (!series) return tl::unexpected(series.error());
  query::Answer answer;
  answer.range = request.range;
  answer.step_ms = request.grid.step_ms;
  answer.tier = request.tier;
  answer.gaps = gaps;
  answer.warnings = warnings;
  const bool is_raw = request.grid.step_ms == 0;
  const std::size_t columns = is_raw ? 1 : request.aggregates.size();
  std::vector<query::TimeRange> rows;
  if (is_raw && !raw_times.empty()) {
    for (const std::int64_t t : raw_times) {
      if (t >= request.range.from_ms && t < request.range.to_ms) rows.push_back({t, t + 1});
    }
  } else if (is_raw) {
    const std::int64_t last = std::min(request.range.to_ms - 1, end_ms.load());
    for (std::int64_t t = (std::max(request.range.from_ms, first_ms) + 999) / 1000 * 1000; t <= last;
         t += 1000)
      rows.push_back({t, t + 1});
  } else {
    for (std::size_t i = 0; i < request.grid.count; ++i) rows.push_back(query::bucket_range(request.grid, i));
  }
  if (rows.size() * series->size() * columns > 500'000)
    return fail(ErrorCode::too_large, "The answer would have too many points.", "Use points=1000.");
  for (query::SeriesAnswer& one : *series) {
    one.columns.resize(request.aggregates.size());
    for (const query::TimeRange& row : rows) {
      std::vector<double> values;
      const std::int64_t first = is_raw ? row.from_ms : (row.from_ms + 999) / 1000 * 1000;
      for (std::int64_t t = first; t < row.to_ms && values.size() < 100; t += 1000) {
        if (const double value_there = value_at(one.path, t); !std::isnan(value_there))
          values.push_back(value_there);
      }
      for (std::size_t i = 0; i < request.aggregates.size(); ++i)
        one.columns[i].push_back(aggregate_of(request.aggregates[i], values));
      if (!request.with_raw) continue;
      query::RawPoint raw;
      raw.older_time.wall_ms = row.from_ms - 1000;
      raw.newer_time.wall_ms = row.from_ms;
      raw.parts = {100, 100 + one.columns[0].back(), 0, 0, 0, 10'000, 10'000};
      one.raw.push_back(raw);
    }
  }
  for (const query::TimeRange& row : rows) answer.time_ms.push_back(row.from_ms);
  answer.series = *std::move(series);
  return answer;
}

Result<std::uint64_t> FakeHistory::export_rows(const query::Request& request, history::ExportSink& sink,
                                               const std::stop_token& stop) {
  const auto series = resolve(request);
  if (!series) return tl::unexpected(series.error());
  if (!sink.begin(*series)) return fail(ErrorCode::cancelled, "The reader has gone.");
  for (const query::Gap& gap : gaps) {
    if (!sink.gap(gap)) return fail(ErrorCode::cancelled, "The reader has gone.");
  }
  std::uint64_t rows = 0;
  std::vector<double> values(series->size());
  const std::int64_t end = std::min(request.range.to_ms, end_ms.load() + 1);
  for (std::int64_t t = (std::max(request.range.from_ms, first_ms) + 999) / 1000 * 1000; t < end; t += 1000) {
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "The export was cancelled.");
    if (export_fails_after && rows == *export_fails_after) return fail(ErrorCode::io, "The disk is broken.");
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_at((*series)[i].path, t);
    if (!sink.row(t, values)) return fail(ErrorCode::cancelled, "The reader has gone.");
    ++rows;
  }
  return rows;
}

Result<query::ProcessTable> FakeHistory::processes(std::int64_t at_ms) {
  if (failure) return tl::unexpected(*failure);
  if (at_ms < first_ms) return fail(ErrorCode::not_found, "No process was recorded at that time.");
  return process_table;
}

Result<std::vector<history::ObjectInfo>> FakeHistory::objects() {
  if (failure) return tl::unexpected(*failure);
  std::vector<history::ObjectInfo> infos;
  for (const auto& [name, object] : objects_)
    infos.push_back({object.definition, object.instances.size(), first_ms});
  return infos;
}

Result<history::ObjectInfo> FakeHistory::object(std::string_view name) {
  if (failure) return tl::unexpected(*failure);
  const auto found = objects_.find(name);
  if (found == objects_.end()) return fail(ErrorCode::not_found, "There is no such object.");
  return history::ObjectInfo{found->second.definition, found->second.instances.size(), first_ms};
}

Result<std::vector<history::InstanceInfo>> FakeHistory::instances(std::string_view object,
                                                                  query::TimeRange range) {
  if (failure) return tl::unexpected(*failure);
  const auto found = objects_.find(object);
  if (found == objects_.end()) return fail(ErrorCode::not_found, "There is no such object.");
  std::vector<history::InstanceInfo> infos;
  for (const std::string& name : found->second.instances)
    infos.push_back({name, range.from_ms, range.to_ms - 1});
  return infos;
}

Result<std::vector<query::StoredMark>> FakeHistory::marks(query::TimeRange range) {
  if (failure) return tl::unexpected(*failure);
  const std::lock_guard lock(mutex_);
  std::vector<query::StoredMark> found;
  for (const query::StoredMark& mark : marks_) {
    if (mark.mark.wall_ms >= range.from_ms && mark.mark.wall_ms < range.to_ms) found.push_back(mark);
  }
  return found;
}

Result<std::int64_t> FakeHistory::add_mark(const Mark& mark) {
  if (failure) return tl::unexpected(*failure);
  const std::lock_guard lock(mutex_);
  marks_.push_back({next_mark_, mark});
  return next_mark_++;
}

Result<void> FakeHistory::delete_mark(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  if (std::erase_if(marks_, [&](const query::StoredMark& mark) { return mark.id == id; }) == 0)
    return fail(ErrorCode::not_found, "There is no mark " + std::to_string(id) + ".");
  return {};
}

}  // namespace countertop::test
