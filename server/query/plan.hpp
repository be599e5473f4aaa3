// From a range and a wish for resolution to bucket boundaries and the tier that may serve them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/query/model.hpp"
#include "server/query/time_range.hpp"
#include "server/query/time_zone.hpp"

namespace countertop::query {

inline constexpr std::size_t kMaxBuckets = 700'000;  // a week of seconds
inline constexpr std::size_t kMaxRequestedPoints = 100'000;
inline constexpr std::size_t kMaxRawRowsUnasked = 10'000;
inline constexpr std::size_t kAutomaticPoints = 1'000;

struct PlanRequest {
  TimeRange range;
  std::optional<Step> step;           // at most one of step and points
  std::optional<std::size_t> points;  // at most this many buckets
  TimeZone zone = TimeZone::utc();    // for steps of whole days
  std::int64_t sample_interval_ms = 1000;
  std::vector<Aggregate> aggregates{Aggregate::average};
};

struct Plan {
  BucketGrid grid;
  Tier tier = Tier::raw;  // the coarsest that may be used
};

/// Buckets that cover the range: the first holds range.from_ms (and may begin before it), the last ends at or
/// after range.to_ms. Steps below a day are aligned to the epoch, whole days to days of the zone. With
/// `points` the step is the smallest of 1, 2, 5, 10, 15, 30 s / min, 1, 2, 5, 10, 15 h, 1, 2, 5, 10, 15, 30
/// ... d that needs no more buckets. With neither: raw rows when there are at most kMaxRawRowsUnasked, else
/// kAutomaticPoints.
///
/// The minute tier may serve when every boundary is a whole minute, the hour tier when it is a whole hour
/// (days of Kathmandu are not). Percentiles need raw rows.
[[nodiscard]] Result<Plan> plan_buckets(const PlanRequest& request);

/// Whether the tier holds what the aggregates need; the error says what to ask instead.
[[nodiscard]] Result<void> check_aggregates(std::span<const Aggregate> aggregates, Tier tier);
[[nodiscard]] bool is_percentile(Aggregate aggregate);

/// "avg", "min", "max", "last", "sum", "count", "p50", "p95", "p99": as `agg=` takes them and answers name
/// them.
[[nodiscard]] std::string_view to_string(Aggregate aggregate);
[[nodiscard]] std::optional<Aggregate> aggregate_from(std::string_view text);
/// "1s", "1m", "1h": the tier by the distance of its rows.
[[nodiscard]] std::string_view to_string(Tier tier);

/// Start and end of bucket `index` of a grid that is not raw.
[[nodiscard]] TimeRange bucket_range(const BucketGrid& grid, std::size_t index);
/// The bucket that holds `time_ms`; nullopt outside the grid and for raw grids.
[[nodiscard]] std::optional<std::size_t> bucket_of(const BucketGrid& grid, std::int64_t time_ms);

}  // namespace countertop::query
