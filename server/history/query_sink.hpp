// Gathers what the scans find into an Answer: buckets or raw rows, coverage, damage.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "server/history/coverage.hpp"
#include "server/history/row_scan.hpp"
#include "server/query/buckets.hpp"
#include "server/query/model.hpp"

namespace countertop::history {

class QuerySink final : public RowSink {
 public:
  /// Both must outlive it.
  QuerySink(const query::Request& request, const QueryPlan& plan);

  void rows(const SeriesRows& rows) override;
  void sampled(const ObjectPlan& object, std::span<const TimeBase> times) override;
  void raw(std::size_t series, const query::RawPoint& point) override;
  void damaged(query::TimeRange range, const Error& error) override;
  /// Minutes or hours of one series, `length_ms` long each.
  void points(std::size_t series, std::span<const query::TierPoint> points);
  void covered(const std::string& object, query::TimeRange range);

  /// More rows than request.max_points allows were met: the rest is not kept.
  [[nodiscard]] bool is_too_large() const { return is_too_large_; }
  [[nodiscard]] const Coverage& coverage(const std::string& object) { return coverage_[object]; }

  /// Fills time_ms, series, gaps and warnings.
  void finish(std::span<const Mark> marks, std::int64_t now_ms, query::Answer& answer);

 private:
  using RowKey = std::pair<std::int64_t, std::uint32_t>;  // time, how many rows of this time came before
  struct RawSeries {
    std::vector<std::int64_t> times_ms;
    std::vector<double> values;
    std::vector<query::RawPoint> points;
    std::vector<std::size_t> order;  // by time; these two are filled at the end
    std::vector<RowKey> keys;
  };
  static void order_rows(RawSeries& series);
  [[nodiscard]] query::SeriesAnswer rows_of(std::size_t index, std::span<const RowKey> all);
  void fill_buckets(query::Answer& answer);
  void fill_rows(query::Answer& answer);
  void fill_gaps(std::span<const Mark> marks, std::int64_t now_ms, query::Answer& answer);
  [[nodiscard]] bool is_shown(std::size_t series) const;

  const query::Request& request_;
  const QueryPlan& plan_;
  bool is_raw_ = false;
  bool keeps_percentiles_ = false;
  bool is_too_large_ = false;
  std::size_t row_count_ = 0;
  std::vector<query::BucketAccumulator> buckets_;  // by series, unless raw
  std::vector<RawSeries> raw_;                     // by series, when raw
  std::vector<char> has_data_;                     // by series
  std::map<std::string, Coverage> coverage_;       // by object name
  std::vector<query::TimeRange> damage_;
  std::string damage_text_;
};

/// invalid_argument: the step, in seconds, that keeps the answer within max_points.
[[nodiscard]] Error too_many_points(const query::Request& request, std::size_t series);

}  // namespace countertop::history
