#include "server/history/query_sink.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "server/query/plan.hpp"

namespace countertop::history {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kDamaged = "stored data damaged";

/// Neighbouring or overlapping ranges become one.
std::vector<query::TimeRange> merged(std::vector<query::TimeRange> ranges) {
  std::ranges::sort(ranges, {}, &query::TimeRange::from_ms);
  std::vector<query::TimeRange> result;
  for (const query::TimeRange& range : ranges) {
    if (!result.empty() && range.from_ms <= result.back().to_ms + 2000)
      result.back().to_ms = std::max(result.back().to_ms, range.to_ms);
    else
      result.push_back(range);
  }
  return result;
}

}  // namespace

Error too_many_points(const query::Request& request, std::size_t series) {
  static constexpr std::array<std::int64_t, 14> kSteps{1,   2,   5,    10,   15,    30,    60,
                                                       300, 900, 1800, 3600, 21600, 43200, 86400};
  const std::size_t columns =
      std::max<std::size_t>(series, 1) * std::max<std::size_t>(request.aggregates.size(), 1);
  const std::int64_t rows =
      std::max<std::int64_t>(static_cast<std::int64_t>(request.max_points / columns), 1);
  const std::int64_t seconds = (request.range.to_ms - request.range.from_ms) / 1000;
  std::int64_t step = kSteps.back();
  for (const std::int64_t one : kSteps) {
    if (seconds / one + 1 <= rows) {
      step = one;
      break;
    }
  }
  return Error{ErrorCode::too_large,
               "the answer would have more than " + std::to_string(request.max_points) + " values",
               "Ask for step=" + std::to_string(step) +
                   "s or more, a shorter range or fewer series; /export has no limit.",
               0};
}

QuerySink::QuerySink(const query::Request& request, const QueryPlan& plan)
    : request_(request),
      plan_(plan),
      is_raw_(request.grid.step_ms == 0 && request.grid.day_starts_ms.empty()) {
  keeps_percentiles_ = std::ranges::any_of(request.aggregates, query::is_percentile);
  has_data_.resize(plan.series.size());
  if (is_raw_) {
    raw_.resize(plan.series.size());
    return;
  }
  buckets_.reserve(plan.series.size());
  for (std::size_t i = 0; i < plan.series.size(); ++i)
    buckets_.emplace_back(request.grid, request.aggregates);
}

void QuerySink::rows(const SeriesRows& rows) {
  has_data_[rows.series] = 1;
  if (!is_raw_) {
    buckets_[rows.series].add(rows.times, rows.values, rows.weights_s);
    return;
  }
  row_count_ += rows.values.size();
  if (row_count_ > request_.max_points) {
    is_too_large_ = true;
    return;
  }
  RawSeries& series = raw_[rows.series];
  for (const TimeBase& time : rows.times) series.times_ms.push_back(time.wall_ms);
  series.values.insert(series.values.end(), rows.values.begin(), rows.values.end());
}

void QuerySink::sampled(const ObjectPlan& object, std::span<const TimeBase> times) {
  coverage_[object.definition->name].add(times);
}

void QuerySink::raw(std::size_t series, const query::RawPoint& point) {
  if (is_raw_ && !is_too_large_) raw_[series].points.push_back(point);
}

void QuerySink::damaged(query::TimeRange range, const Error& error) {
  damage_.push_back(range);
  if (damage_text_.empty()) damage_text_ = error.message;
}

void QuerySink::points(std::size_t series, std::span<const query::TierPoint> points) {
  if (is_raw_ || keeps_percentiles_) return;
  for (const query::TierPoint& point : points) {
    if (point.time_ms < request_.range.from_ms || point.time_ms >= request_.range.to_ms) continue;
    has_data_[series] = 1;
    buckets_[series].add(point);
  }
}

void QuerySink::covered(const std::string& object, query::TimeRange range) { coverage_[object].add(range); }

bool QuerySink::is_shown(std::size_t series) const {
  return has_data_[series] != 0 || plan_.series[series].is_exact;
}

void QuerySink::finish(std::span<const Mark> marks, std::int64_t now_ms, query::Answer& answer) {
  answer.range = request_.range;
  answer.step_ms = request_.grid.step_ms;
  answer.warnings = plan_.warnings;
  if (is_raw_)
    fill_rows(answer);
  else
    fill_buckets(answer);
  for (std::size_t i = 0; i < plan_.series.size(); ++i) {
    if (plan_.series[i].is_exact && has_data_[i] == 0)
      answer.warnings.push_back(plan_.series[i].header.path + " has no data in this time range");
  }
  fill_gaps(marks, now_ms, answer);
}

void QuerySink::fill_buckets(query::Answer& answer) {
  const query::BucketGrid& grid = request_.grid;
  answer.time_ms.reserve(grid.count);
  for (std::size_t i = 0; i < grid.count; ++i) answer.time_ms.push_back(query::bucket_range(grid, i).from_ms);
  for (std::size_t i = 0; i < plan_.series.size(); ++i) {
    if (!is_shown(i)) continue;
    query::SeriesAnswer series = plan_.series[i].header;
    series.columns = buckets_[i].columns();
    answer.series.push_back(std::move(series));
  }
}

void QuerySink::fill_rows(query::Answer& answer) {
  // After a step of the wall clock two rows may bear the same time: both are rows.
  std::vector<RowKey> all;
  for (RawSeries& series : raw_) {
    order_rows(series);
    if (series.keys == all) continue;
    std::vector<RowKey> both;
    both.reserve(all.size() + series.keys.size());
    std::ranges::set_union(all, series.keys, std::back_inserter(both));
    all = std::move(both);
  }
  answer.time_ms.reserve(all.size());
  for (const RowKey& key : all) answer.time_ms.push_back(key.first);
  for (std::size_t i = 0; i < raw_.size(); ++i) {
    if (is_shown(i)) answer.series.push_back(rows_of(i, all));
  }
}

void QuerySink::order_rows(RawSeries& series) {
  std::vector<std::size_t>& order = series.order;
  order.resize(series.times_ms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!std::ranges::is_sorted(series.times_ms))
    std::ranges::stable_sort(order, {}, [&](std::size_t row) { return series.times_ms[row]; });
  series.keys.reserve(order.size());
  for (const std::size_t row : order) {
    const std::int64_t time = series.times_ms[row];
    const bool again = !series.keys.empty() && series.keys.back().first == time;
    series.keys.emplace_back(time, again ? series.keys.back().second + 1 : 0);
  }
}

query::SeriesAnswer QuerySink::rows_of(std::size_t index, std::span<const RowKey> all) {
  const RawSeries& from = raw_[index];
  query::SeriesAnswer series = plan_.series[index].header;
  const std::size_t columns = std::max<std::size_t>(request_.aggregates.size(), 1);
  series.columns.assign(columns, std::vector<double>(all.size(), kNone));
  const bool has_points = request_.with_raw && from.points.size() == from.values.size();
  if (has_points) series.raw.resize(all.size());
  std::size_t row = 0;
  for (std::size_t k = 0; k < from.keys.size(); ++k, ++row) {
    while (all[row] != from.keys[k]) ++row;
    const double value = from.values[from.order[k]];
    for (std::size_t a = 0; a < columns; ++a) {
      const bool counts = a < request_.aggregates.size() && request_.aggregates[a] == query::Aggregate::count;
      series.columns[a][row] = counts ? (std::isnan(value) ? 0 : 1) : value;
    }
    if (has_points) series.raw[row] = from.points[from.order[k]];
  }
  return series;
}

void QuerySink::fill_gaps(std::span<const Mark> marks, std::int64_t now_ms, query::Answer& answer) {
  const query::TimeRange range{request_.range.from_ms, std::min(request_.range.to_ms, now_ms)};
  damage_ = merged(std::move(damage_));
  for (const query::TimeRange& damaged : damage_) {
    const query::TimeRange clipped{std::max(damaged.from_ms, range.from_ms),
                                   std::min(damaged.to_ms, range.to_ms)};
    if (clipped.from_ms < clipped.to_ms) answer.gaps.push_back(query::Gap{clipped, kDamaged});
  }
  if (!damage_.empty())
    answer.warnings.push_back("part of the stored data is damaged and left out: " + damage_text_);
  std::vector<std::string> names;
  for (const ObjectPlan& object : plan_.objects) names.push_back(object.definition->name);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& name : names) {
    for (query::Gap& gap : coverage_[name].gaps(range, marks)) {
      const bool is_damage = std::ranges::any_of(damage_, [&](const query::TimeRange& damaged) {
        return gap.range.from_ms >= damaged.from_ms - 2000 && gap.range.to_ms <= damaged.to_ms + 2000;
      });
      if (!is_damage && std::ranges::find(answer.gaps, gap) == answer.gaps.end())
        answer.gaps.push_back(std::move(gap));
    }
  }
  std::ranges::stable_sort(answer.gaps, {}, [](const query::Gap& gap) { return gap.range.from_ms; });
}

}  // namespace countertop::history
