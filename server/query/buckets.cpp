#include "server/query/buckets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "server/query/plan.hpp"

namespace countertop::query {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::size_t percent_of(Aggregate aggregate) {
  switch (aggregate) {
    case Aggregate::p50:
      return 50;
    case Aggregate::p95:
      return 95;
    default:
      return 99;
  }
}

/// Nearest rank; reorders the values.
double percentile(std::vector<double>& values, std::size_t percent) {
  const std::size_t rank = (values.size() * percent + 99) / 100;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

BucketAccumulator::BucketAccumulator(const BucketGrid& grid, std::span<const Aggregate> aggregates)
    : grid_(&grid), aggregates_(aggregates.begin(), aggregates.end()), buckets_(grid.count) {
  keeps_values_ = std::ranges::any_of(aggregates_, is_percentile);
  if (!keeps_values_) return;
  values_.resize(grid.count);
  percentiles_.resize(aggregates_.size());
  for (std::size_t i = 0; i < aggregates_.size(); ++i) {
    if (is_percentile(aggregates_[i])) percentiles_[i].assign(grid.count, kNone);
  }
}

BucketAccumulator::Bucket* BucketAccumulator::find(std::int64_t time_ms) {
  if (time_ms >= newest_range_.from_ms && time_ms < newest_range_.to_ms) return &buckets_[newest_];
  const auto index = bucket_of(*grid_, time_ms);
  if (!index) return nullptr;
  newest_ = *index;
  newest_range_ = bucket_range(*grid_, newest_);
  return &buckets_[newest_];
}

void BucketAccumulator::add(std::int64_t time_ms, double value, double weight_s) {
  if (!std::isfinite(value)) return;
  if (!(weight_s > 0)) weight_s = 1;
  if (keeps_values_) {
    if (Bucket* const bucket = find(time_ms); bucket != nullptr && newest_ >= sealed_)
      values_[newest_].push_back(value);
  }
  add(TierPoint{time_ms, value, value, value, value, weight_s, 1});
}

void BucketAccumulator::add(std::span<const TimeBase> times, std::span<const double> values,
                            std::span<const double> weights_s) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    const std::int64_t time_ms = times[i].wall_ms;
    if (keeps_values_) {
      add(time_ms, value, weights_s[i]);
      continue;
    }
    if (!std::isfinite(value)) continue;
    Bucket* const bucket = find(time_ms);
    if (bucket == nullptr) continue;
    const double weight_s = weights_s[i] > 0 ? weights_s[i] : 1;
    const bool first = bucket->count == 0;
    bucket->minimum = first || value < bucket->minimum ? value : bucket->minimum;
    bucket->maximum = first || value > bucket->maximum ? value : bucket->maximum;
    if (first || time_ms >= bucket->last_ms) {
      bucket->last = value;
      bucket->last_ms = time_ms;
    }
    bucket->weighted_sum += value * weight_s;
    bucket->weight_s += weight_s;
    bucket->sum += value;
    ++bucket->count;
  }
}

void BucketAccumulator::add(const TierPoint& point) {
  if (point.count == 0 || !std::isfinite(point.average)) return;
  Bucket* const bucket = find(point.time_ms);
  if (bucket == nullptr) return;
  const bool first = bucket->count == 0;
  bucket->minimum = first ? point.minimum : std::min(bucket->minimum, point.minimum);
  bucket->maximum = first ? point.maximum : std::max(bucket->maximum, point.maximum);
  if (first || point.time_ms >= bucket->last_ms) {
    bucket->last = point.last;
    bucket->last_ms = point.time_ms;
  }
  const double weight_s = point.weight_s > 0 ? point.weight_s : static_cast<double>(point.count);
  bucket->weighted_sum += point.average * weight_s;
  bucket->weight_s += weight_s;
  bucket->sum += point.average * static_cast<double>(point.count);
  bucket->count += point.count;
}

void BucketAccumulator::fill_percentiles(std::size_t bucket) {
  std::vector<double>& values = values_[bucket];
  if (values.empty()) return;
  for (std::size_t i = 0; i < aggregates_.size(); ++i) {
    if (is_percentile(aggregates_[i]))
      percentiles_[i][bucket] = percentile(values, percent_of(aggregates_[i]));
  }
  std::vector<double>().swap(values);
}

void BucketAccumulator::seal_before(std::int64_t time_ms) {
  if (!keeps_values_) return;
  for (; sealed_ < buckets_.size() && bucket_range(*grid_, sealed_).to_ms <= time_ms; ++sealed_)
    fill_percentiles(sealed_);
}

double BucketAccumulator::value_of(const Bucket& bucket, Aggregate aggregate) const {
  if (aggregate == Aggregate::count) return static_cast<double>(bucket.count);
  if (bucket.count == 0) return kNone;
  switch (aggregate) {
    case Aggregate::average:
      // Rounding, and minima that a tier rounded outward, must not put the average outside.
      return std::clamp(bucket.weighted_sum / bucket.weight_s, bucket.minimum,
                        std::max(bucket.minimum, bucket.maximum));
    case Aggregate::minimum:
      return bucket.minimum;
    case Aggregate::maximum:
      return bucket.maximum;
    case Aggregate::last:
      return bucket.last;
    case Aggregate::sum:
      return bucket.sum;
    default:
      return kNone;
  }
}

std::vector<std::vector<double>> BucketAccumulator::columns() {
  if (keeps_values_) {
    for (; sealed_ < buckets_.size(); ++sealed_) fill_percentiles(sealed_);
  }
  std::vector<std::vector<double>> columns(aggregates_.size());
  for (std::size_t i = 0; i < aggregates_.size(); ++i) {
    if (is_percentile(aggregates_[i])) {
      columns[i] = percentiles_[i];
      continue;
    }
    columns[i].reserve(buckets_.size());
    for (const Bucket& bucket : buckets_) columns[i].push_back(value_of(bucket, aggregates_[i]));
  }
  return columns;
}

}  // namespace countertop::query
