// Gathers values into buckets and gives every aggregate of them.
//
// A value at t belongs to the bucket that holds t, with the whole interval that ends at t: so sums over
// buckets are sums over the rows. `avg` weighs each value with the length of its interval; `sum` is the plain
// sum of the values, also for rates (multiply an average by the seconds to get a total); `last` is the value
// with the greatest time; percentiles are the smallest value that at least p percent of the values do not
// exceed (nearest rank), so always one that occurred.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/query/model.hpp"

namespace countertop::query {

/// A row of the minute or hour tier.
struct TierPoint {
  std::int64_t time_ms = 0;  // start of the minute or hour
  double average = 0, minimum = 0, maximum = 0, last = 0;
  double weight_s = 0;      // seconds that the average covers
  std::uint64_t count = 0;  // samples in it
};

class BucketAccumulator {
 public:
  /// `grid` must not be raw, and outlives this. Keeps single values only when a percentile is among the
  /// aggregates.
  BucketAccumulator(const BucketGrid& grid, std::span<const Aggregate> aggregates);

  /// Values that are no finite numbers and times outside the grid are left out. In any order. `weight_s`:
  /// seconds of the interval that ends at time_ms; what is not above zero counts as one second.
  void add(std::int64_t time_ms, double value, double weight_s);
  /// The same for rows in a run; the three are equally long.
  void add(std::span<const TimeBase> times, std::span<const double> values,
           std::span<const double> weights_s);
  /// Must not be called when a percentile is among the aggregates (check_aggregates).
  void add(const TierPoint& point);

  /// No value before `time_ms` follows: frees what only percentiles need.
  void seal_before(std::int64_t time_ms);

  /// One column per aggregate, each of grid.count values, NaN where a bucket is empty (`count` is then 0).
  [[nodiscard]] std::vector<std::vector<double>> columns();

 private:
  struct Bucket {
    double minimum = 0, maximum = 0, last = 0;
    double weighted_sum = 0, weight_s = 0, sum = 0;
    std::int64_t last_ms = 0;
    std::uint64_t count = 0;
  };
  [[nodiscard]] Bucket* find(std::int64_t time_ms);
  [[nodiscard]] double value_of(const Bucket& bucket, Aggregate aggregate) const;
  void fill_percentiles(std::size_t bucket);

  const BucketGrid* grid_;
  std::vector<Aggregate> aggregates_;
  bool keeps_values_ = false;
  std::vector<Bucket> buckets_;
  std::size_t newest_ = 0;  // bucket of the previous value, where the next one most likely goes
  TimeRange newest_range_;
  std::size_t sealed_ = 0;                        // percentiles of the buckets before this one are computed
  std::vector<std::vector<double>> values_;       // by bucket; empty unless keeps_values_
  std::vector<std::vector<double>> percentiles_;  // by aggregate, then bucket; empty for other aggregates
};

}  // namespace countertop::query
