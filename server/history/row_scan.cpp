#include "server/history/row_scan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace countertop::history {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double seconds_between(const TimeBase& older, const TimeBase& newer) {
  if (newer.perf_frequency <= 0) return 0;
  const double seconds = static_cast<double>(wrapping_subtract(newer.perf_time, older.perf_time)) /
                         static_cast<double>(newer.perf_frequency);
  return std::max(seconds, 0.0);
}

/// Columns of a run as the cook wants them: pointers by field number.
using ColumnPointers = std::array<const std::int64_t*, kMaxFieldsPerObject>;

ColumnPointers pointers_at(const ObjectPlan& object, const InstanceRows& rows, std::size_t position) {
  ColumnPointers pointers{};
  for (const std::uint16_t field : object.fields) pointers[field] = rows.columns[field].data() + position;
  return pointers;
}

}  // namespace

RowScan::RowScan(query::TimeRange range, bool wants_raw, std::size_t series, RowSink& sink)
    : range_(range), wants_raw_(wants_raw), sink_(&sink), sums_(series) {}

void RowScan::scan(ObjectPlan& object, std::int64_t segment, std::span<const TimeBase> times, Use use,
                   const Provider& provider) {
  if (times.empty()) {
    object.carried_segment = -1;
    for (InstancePlan& instance : object.instances) instance.carried.segment = -1;
    return;
  }
  // Inside a segment the wall clock only goes forward.
  const auto row_at = [&](std::int64_t wall_ms) {
    return static_cast<std::size_t>(std::ranges::lower_bound(times, wall_ms, {}, &TimeBase::wall_ms) -
                                    times.begin());
  };
  const std::size_t from = use == Use::prepare ? times.size() : row_at(range_.from_ms);
  const Stretch stretch{&object, segment, times, from, std::max(from, row_at(range_.to_ms))};
  weights_.resize(times.size());
  const bool continues = object.carried_segment == segment;
  weights_[0] = continues ? seconds_between(object.carried_time, times[0]) : 0;
  for (std::size_t row = 1; row < times.size(); ++row)
    weights_[row] = seconds_between(times[row - 1], times[row]);
  if (stretch.from < stretch.to)
    sink_->sampled(object, times.subspan(stretch.from, stretch.to - stretch.from));
  for (InstancePlan& instance : object.instances) {
    if (const InstanceRows* rows = provider(instance); rows != nullptr) {
      scan_instance(stretch, instance, *rows);
      carry(stretch, instance, *rows);
    } else {
      instance.carried.segment = -1;
    }
  }
  emit_sums(stretch);
  object.carried_time = times.back();
  object.carried_segment = segment;
}

void RowScan::scan_instance(const Stretch& stretch, InstancePlan& instance, const InstanceRows& rows) {
  std::size_t offset = 0;
  for (const PresenceRun& run : rows.runs) {
    const std::size_t first = run.first_row;
    const std::size_t end = first + run.count;
    const std::size_t from = std::max(first, stretch.from);
    const std::size_t to = std::min(end, stretch.to);
    if (from < to) cook_run(stretch, instance, rows, run, offset, from - first, to - from);
    offset += run.count;
  }
}

RowBefore RowScan::before_run(const Stretch& stretch, const InstancePlan& instance, const InstanceRows& rows,
                              PresenceRun run, std::size_t offset, std::size_t skip) {
  RowBefore before;
  const std::size_t row = run.first_row + skip;
  if (skip > 0) {
    for (const std::uint16_t field : stretch.object->fields)
      before_values_[field] = rows.columns[field][offset + skip - 1];
    before = {RowBefore::Kind::row, before_values_, stretch.times[row - 1]};
  } else if (row == 0 && instance.carried.segment == stretch.segment) {
    before = {RowBefore::Kind::row, instance.carried.values, instance.carried.time};
  } else if (instance.from_zero && stretch.times[row].wall_ms == instance.first_ms) {
    if (row > 0)
      before = {RowBefore::Kind::born, {}, stretch.times[row - 1]};
    else if (stretch.object->carried_segment == stretch.segment)
      before = {RowBefore::Kind::born, {}, stretch.object->carried_time};
  }
  before.values =
      before.values.first(std::min(before.values.size(), stretch.object->definition->fields.size()));
  return before;
}

void RowScan::cook_run(const Stretch& stretch, const InstancePlan& instance, const InstanceRows& rows,
                       PresenceRun run, std::size_t offset, std::size_t skip, std::size_t count) {
  const std::size_t first_row = run.first_row + skip;
  const RowBefore before = before_run(stretch, instance, rows, run, offset, skip);
  const ColumnPointers columns = pointers_at(*stretch.object, rows, offset + skip);
  values_.resize(count);
  for (const SeriesUse& use : instance.uses) {
    stretch.object->cooks[use.cook]->run(columns, stretch.times.data() + first_row, count, before,
                                         values_.data());
    if (use.is_shared) {
      add_to_sum(use.series, stretch, first_row, values_);
      continue;
    }
    sink_->rows(SeriesRows{use.series, stretch.times.subspan(first_row, count),
                           std::span<const double>(weights_).subspan(first_row, count), values_});
  }
  if (wants_raw_) emit_raw(stretch, instance, rows, run, offset, skip, count, before);
}

void RowScan::emit_raw(const Stretch& stretch, const InstancePlan& instance, const InstanceRows& rows,
                       PresenceRun run, std::size_t offset, std::size_t skip, std::size_t count,
                       const RowBefore& before) {
  const std::size_t width = stretch.object->definition->fields.size();
  std::array<std::int64_t, kMaxFieldsPerObject> older{};
  std::array<std::int64_t, kMaxFieldsPerObject> newer{};
  for (const SeriesUse& use : instance.uses) {
    if (use.is_shared) continue;
    const ColumnCook& cook = *stretch.object->cooks[use.cook];
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t row = run.first_row + skip + i;
      query::RawPoint point;
      point.newer_time = stretch.times[row];
      older.fill(0);
      if (i > 0) {
        point.older_time = stretch.times[row - 1];
        for (const std::uint16_t field : cook.fields())
          older[field] = rows.columns[field][offset + skip + i - 1];
      } else if (before.kind != RowBefore::Kind::none) {
        point.older_time = before.time;
        std::ranges::copy(before.values, older.begin());
      }
      for (const std::uint16_t field : cook.fields()) newer[field] = rows.columns[field][offset + skip + i];
      point.parts = cook_parts(cook.object(), cook.counter(),
                               RawSample{std::span(older).first(width), point.older_time},
                               RawSample{std::span(newer).first(width), point.newer_time});
      if (i == 0 && before.kind == RowBefore::Kind::none)
        point.parts.older_value = point.parts.older_base = point.parts.older_time = kNone;
      sink_->raw(use.series, point);
    }
  }
}

void RowScan::add_to_sum(std::size_t series, const Stretch& stretch, std::size_t first_row,
                         std::span<const double> values) {
  Sum& sum = sums_[series];
  if (sum.values.empty()) {
    sum.values.assign(stretch.times.size(), kNone);
    sum.present.assign(stretch.times.size(), 0);
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum.present[first_row + i] = 1;
    if (std::isnan(values[i])) continue;
    double& total = sum.values[first_row + i];
    total = std::isnan(total) ? values[i] : total + values[i];
  }
}

void RowScan::emit_sums(const Stretch& stretch) {
  for (std::size_t series = 0; series < sums_.size(); ++series) {
    Sum& sum = sums_[series];
    for (std::size_t row = 0; row < sum.values.size();) {
      if (sum.present[row] == 0) {
        ++row;
        continue;
      }
      std::size_t end = row;
      while (end < sum.values.size() && sum.present[end] != 0) ++end;
      sink_->rows(SeriesRows{series, stretch.times.subspan(row, end - row),
                             std::span<const double>(weights_).subspan(row, end - row),
                             std::span<const double>(sum.values).subspan(row, end - row)});
      row = end;
    }
    sum.values.clear();
    sum.present.clear();
  }
}

void RowScan::carry(const Stretch& stretch, InstancePlan& instance, const InstanceRows& rows) {
  instance.carried.segment = -1;
  if (rows.runs.empty()) return;
  const PresenceRun& last = rows.runs.back();
  if (std::size_t{last.first_row} + last.count != stretch.times.size()) return;
  instance.carried.segment = stretch.segment;
  instance.carried.time = stretch.times.back();
  for (const std::uint16_t field : stretch.object->fields)
    instance.carried.values[field] = rows.columns[field].back();
}

}  // namespace countertop::history
