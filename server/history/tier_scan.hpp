// Reads the minute and hour tiers for the series of a plan.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/database.hpp"
#include "server/history/minute_rows.hpp"
#include "server/history/query_sink.hpp"
#include "server/history/series_plan.hpp"

namespace countertop::history {

/// A row of the `minute_part` table.
struct MinutePart {
  std::int64_t window = 0;
  std::int64_t part = 0;
  std::int64_t first_ms = 0;
  std::int64_t last_ms = 0;
};

[[nodiscard]] Result<std::vector<MinutePart>> read_minute_parts(Database& database, std::int64_t host,
                                                                query::TimeRange range);

/// True for a minute or hour (by its start) that the tier has to serve.
using TierFilter = std::function<bool(std::int64_t start_ms)>;

/// One thread at a time. `with_last`: whether last values are wanted; without, minutes give none.
class TierScan {
 public:
  [[nodiscard]] static Result<TierScan> open(Database& database, bool with_last);

  /// Gives the minutes of all instances of the object in these parts (by window and part) to the sink. Damage
  /// goes to the sink.
  [[nodiscard]] Result<void> minutes(std::span<const MinutePart> parts, const ObjectPlan& object,
                                     const TierFilter& wanted, QuerySink& sink, const std::stop_token& stop);
  /// Hours of all instances of the object in the range.
  [[nodiscard]] Result<void> hours(const ObjectPlan& object, query::TimeRange range, const TierFilter& wanted,
                                   QuerySink& sink);

 private:
  using Sums = std::map<std::size_t, std::map<std::int64_t, query::TierPoint>>;  // series, then time
  TierScan(bool with_last, Statement minutes, Statement hours)
      : with_last_(with_last), minutes_(std::move(minutes)), hours_(std::move(hours)) {}
  Result<void> read_series(std::span<const MinutePart> parts, const ObjectPlan& object,
                           const InstancePlan& instance, const SeriesUse& use, const TierFilter& wanted,
                           Sums& sums, QuerySink& sink);
  void give(const ObjectPlan& object, const SeriesUse& use, Sums& sums, QuerySink& sink);

  bool with_last_ = false;
  Statement minutes_, hours_;
  MinuteReader reader_;
  std::vector<query::TierPoint> points_;
};

}  // namespace countertop::history
