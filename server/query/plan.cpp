#include "server/query/plan.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace countertop::query {
namespace {

constexpr std::int64_t kSecond = 1000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;

constexpr std::array<std::pair<Aggregate, std::string_view>, kAggregateCount> kAggregates{{
    {Aggregate::average, "avg"},
    {Aggregate::minimum, "min"},
    {Aggregate::maximum, "max"},
    {Aggregate::last, "last"},
    {Aggregate::sum, "sum"},
    {Aggregate::count, "count"},
    {Aggregate::p50, "p50"},
    {Aggregate::p95, "p95"},
    {Aggregate::p99, "p99"},
}};

std::int64_t floor_to(std::int64_t value, std::int64_t step) {
  const std::int64_t rest = value % step;
  return value - (rest < 0 ? rest + step : rest);
}

/// Buckets that a fixed step needs.
std::int64_t count_fixed(TimeRange range, std::int64_t step_ms) {
  return (range.to_ms - floor_to(range.from_ms, step_ms) + step_ms - 1) / step_ms;
}

BucketGrid fixed_grid(TimeRange range, std::int64_t step_ms) {
  BucketGrid grid;
  grid.start_ms = floor_to(range.from_ms, step_ms);
  grid.step_ms = step_ms;
  grid.count = static_cast<std::size_t>(count_fixed(range, step_ms));
  return grid;
}

BucketGrid day_grid(TimeRange range, int days, const TimeZone& zone) {
  BucketGrid grid;
  grid.day_starts_ms = zone.day_starts_ms(range.from_ms, range.to_ms, days);
  grid.start_ms = grid.day_starts_ms.front();
  grid.step_ms = days * kDay;
  grid.count = grid.day_starts_ms.size() - 1;
  return grid;
}

Result<BucketGrid> grid_of_step(TimeRange range, Step step, const TimeZone& zone) {
  const std::int64_t about = (range.to_ms - range.from_ms) / step.ms;
  if (about >= static_cast<std::int64_t>(kMaxBuckets) - 2) {
    const std::int64_t fitting = (range.to_ms - range.from_ms) / static_cast<std::int64_t>(kAutomaticPoints);
    return fail(ErrorCode::too_large,
                "step=" + format_duration(step.ms) + " needs about " + std::to_string(about) +
                    " rows, more than " + std::to_string(kMaxBuckets),
                "use points=" + std::to_string(kAutomaticPoints) + ", or a step of about " +
                    format_duration(std::max(fitting / kSecond, std::int64_t{1}) * kSecond));
  }
  return step.days > 0 ? day_grid(range, step.days, zone) : fixed_grid(range, step.ms);
}

BucketGrid grid_of_points(TimeRange range, std::size_t points, const TimeZone& zone) {
  constexpr std::array<std::int64_t, 6> kFactors{1, 2, 5, 10, 15, 30};
  for (const std::int64_t unit : {kSecond, kMinute, kHour}) {
    for (const std::int64_t factor : kFactors) {
      const std::int64_t step = factor * unit;
      if (step < kDay && count_fixed(range, step) <= static_cast<std::int64_t>(points))
        return fixed_grid(range, step);
    }
  }
  for (int decade = 1;; decade *= 10) {
    for (const int factor : {1, 2, 5}) {
      const int days = factor * decade;
      // A range can touch one group of days more than its length says, and days have 25 hours at most.
      const std::int64_t at_least = (range.to_ms - range.from_ms) / (days * (kDay + kHour));
      if (at_least > static_cast<std::int64_t>(points)) continue;
      BucketGrid grid = day_grid(range, days, zone);
      // Two groups always hold a range that crosses a boundary, however long they are.
      if (grid.count <= points || (at_least == 0 && grid.count <= 2 && decade > 1000)) return grid;
    }
  }
}

Tier coarsest_tier(const BucketGrid& grid) {
  const auto all_multiples_of = [&](std::int64_t length) {
    if (grid.step_ms < length || grid.step_ms % length != 0) return false;
    return std::ranges::all_of(grid.day_starts_ms, [&](std::int64_t start) { return start % length == 0; });
  };
  if (grid.step_ms == 0) return Tier::raw;
  if (all_multiples_of(kHour)) return Tier::hour;
  return all_multiples_of(kMinute) ? Tier::minute : Tier::raw;
}

Result<BucketGrid> choose_grid(const PlanRequest& request) {
  if (request.step) return grid_of_step(request.range, *request.step, request.zone);
  if (request.points) return grid_of_points(request.range, *request.points, request.zone);
  const std::int64_t interval = std::max<std::int64_t>(request.sample_interval_ms, 1);
  const std::int64_t rows = (request.range.to_ms - request.range.from_ms) / interval;
  if (rows <= static_cast<std::int64_t>(kMaxRawRowsUnasked))
    return BucketGrid{request.range.from_ms, 0, 0, {}};
  return grid_of_points(request.range, kAutomaticPoints, request.zone);
}

}  // namespace

Result<Plan> plan_buckets(const PlanRequest& request) {
  const TimeRange range = request.range;
  if (range.from_ms >= range.to_ms || range.from_ms < kEarliestMs || range.to_ms > kLatestMs)
    return fail(ErrorCode::invalid_argument, "the range is empty or lies outside the years 1900 to 9999");
  if (request.step && request.points)
    return fail(ErrorCode::invalid_argument, "step and points cannot be given together",
                "leave out one of them");
  if (request.points && (*request.points < 1 || *request.points > kMaxRequestedPoints)) {
    return fail(ErrorCode::invalid_argument,
                "points must lie between 1 and " + std::to_string(kMaxRequestedPoints),
                "use step for finer buckets, or /export for every row");
  }
  if (request.step && (request.step->ms <= 0 || request.step->days < 0))
    return fail(ErrorCode::invalid_argument, "step must be longer than nothing");
  auto grid = choose_grid(request);
  if (!grid) return tl::unexpected(grid.error());
  Plan plan;
  plan.grid = *std::move(grid);
  plan.tier = std::ranges::any_of(request.aggregates, is_percentile) ? Tier::raw : coarsest_tier(plan.grid);
  return plan;
}

Result<void> check_aggregates(std::span<const Aggregate> aggregates, Tier tier) {
  if (tier == Tier::raw) return {};
  const auto found = std::ranges::find_if(aggregates, is_percentile);
  if (found == aggregates.end()) return {};
  return fail(ErrorCode::unavailable,
              std::string(to_string(*found)) +
                  " needs every single value, and of this range only averages, minima and maxima are left",
              "use agg=avg,min,max, or a range that still has its seconds (see /status)");
}

bool is_percentile(Aggregate aggregate) {
  return aggregate == Aggregate::p50 || aggregate == Aggregate::p95 || aggregate == Aggregate::p99;
}

std::string_view to_string(Aggregate aggregate) {
  const auto* const found =
      std::ranges::find(kAggregates, aggregate, &std::pair<Aggregate, std::string_view>::first);
  return found == kAggregates.end() ? std::string_view("avg") : found->second;
}

std::optional<Aggregate> aggregate_from(std::string_view text) {
  const auto* const found =
      std::ranges::find(kAggregates, text, &std::pair<Aggregate, std::string_view>::second);
  if (found == kAggregates.end()) return std::nullopt;
  return found->first;
}

std::string_view to_string(Tier tier) {
  switch (tier) {
    case Tier::raw:
      return "1s";
    case Tier::minute:
      return "1m";
    case Tier::hour:
      return "1h";
  }
  return "1s";
}

TimeRange bucket_range(const BucketGrid& grid, std::size_t index) {
  if (!grid.day_starts_ms.empty()) return {grid.day_starts_ms[index], grid.day_starts_ms[index + 1]};
  const std::int64_t start = grid.start_ms + static_cast<std::int64_t>(index) * grid.step_ms;
  return {start, start + grid.step_ms};
}

std::optional<std::size_t> bucket_of(const BucketGrid& grid, std::int64_t time_ms) {
  if (grid.step_ms <= 0 || grid.count == 0 || time_ms < grid.start_ms) return std::nullopt;
  if (!grid.day_starts_ms.empty()) {
    const auto above = std::ranges::upper_bound(grid.day_starts_ms, time_ms);
    if (above == grid.day_starts_ms.end()) return std::nullopt;
    return static_cast<std::size_t>(above - grid.day_starts_ms.begin()) - 1;
  }
  const auto index = static_cast<std::size_t>((time_ms - grid.start_ms) / grid.step_ms);
  if (index >= grid.count) return std::nullopt;
  return index;
}

}  // namespace countertop::query
