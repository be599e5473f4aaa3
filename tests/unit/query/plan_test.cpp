#include "server/query/plan.hpp"

#include <catch2/catch_test_macros.hpp>
#include <random>
#include <set>

namespace countertop::query {
namespace {

constexpr std::int64_t kSecond = 1000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kNow = 1'796'040'017'345;

PlanRequest last(std::int64_t length_ms) {
  PlanRequest request;
  request.range = {kNow - length_ms, kNow};
  return request;
}

Plan planned(const PlanRequest& request) {
  const auto plan = plan_buckets(request);
  REQUIRE(plan.has_value());
  return *plan;
}

Plan with_step(std::int64_t length_ms, std::string_view step) {
  PlanRequest request = last(length_ms);
  request.step = *parse_step(step, "step");
  return planned(request);
}

Plan with_points(std::int64_t length_ms, std::size_t points) {
  PlanRequest request = last(length_ms);
  request.points = points;
  return planned(request);
}

TEST_CASE("Buckets are aligned to the epoch and cover the range", "[plan]") {
  const Plan plan = with_step(kHour, "10s");
  CHECK(plan.grid.step_ms == 10 * kSecond);
  CHECK(plan.grid.start_ms % (10 * kSecond) == 0);
  CHECK(plan.grid.start_ms <= kNow - kHour);
  CHECK(plan.grid.start_ms > kNow - kHour - 10 * kSecond);
  CHECK(plan.grid.count == 361);  // both ends are partial
  CHECK(bucket_range(plan.grid, plan.grid.count - 1).to_ms >= kNow);
  PlanRequest aligned;
  aligned.range = {3'600'000, 7'200'000};
  aligned.step = Step{10'000, 0};
  CHECK(planned(aligned).grid.count == 360);
}

TEST_CASE("Points choose the smallest nice step that needs no more buckets", "[plan]") {
  CHECK(with_points(kHour, 800).grid.step_ms == 5 * kSecond);
  CHECK(with_points(30 * kDay, 1000).grid.step_ms == kHour);
  CHECK(with_points(kMinute, 1000).grid.step_ms == kSecond);
  CHECK(with_points(30 * kDay, 30).grid.day_starts_ms.size() - 1 <= 30);
  const std::set<std::int64_t> nice{1, 2, 5, 10, 15, 30};
  std::mt19937_64 random(7);
  for (int i = 0; i < 500; ++i) {
    PlanRequest request;
    request.range.from_ms = static_cast<std::int64_t>(random() % 4'000'000'000'000);
    request.range.to_ms =
        request.range.from_ms + 1 + static_cast<std::int64_t>(random() % (std::uint64_t{1} << (10 + i % 32)));
    request.points = 1 + random() % 2000;
    const BucketGrid grid = planned(request).grid;
    CHECK(grid.count <= *request.points);
    CHECK(bucket_range(grid, 0).from_ms <= request.range.from_ms);
    CHECK(bucket_range(grid, 0).to_ms > request.range.from_ms);
    CHECK(bucket_range(grid, grid.count - 1).to_ms >= request.range.to_ms);
    CHECK(bucket_range(grid, grid.count - 1).from_ms < request.range.to_ms);
    if (grid.step_ms >= kDay) continue;
    const std::int64_t unit = grid.step_ms % kHour == 0     ? kHour
                              : grid.step_ms % kMinute == 0 ? kMinute
                                                            : kSecond;
    CHECK(nice.contains(grid.step_ms / unit));
  }
}

TEST_CASE("Without step and points short ranges are raw, long ones automatic", "[plan]") {
  CHECK(planned(last(kHour)).grid.step_ms == 0);
  CHECK(planned(last(10'000 * kSecond)).grid.step_ms == 0);
  CHECK(planned(last(10'001 * kSecond)).grid.step_ms == 15 * kSecond);
  CHECK(planned(last(10'001 * kSecond)).grid.count <= kAutomaticPoints);
  PlanRequest slow = last(kDay);
  slow.sample_interval_ms = 10 * kSecond;
  CHECK(planned(slow).grid.step_ms == 0);
}

TEST_CASE("The tier follows the boundaries", "[plan]") {
  CHECK(planned(last(kHour)).tier == Tier::raw);
  CHECK(with_step(kDay, "30s").tier == Tier::raw);
  CHECK(with_step(kDay, "1m").tier == Tier::minute);
  CHECK(with_step(kDay, "90s").tier == Tier::raw);
  CHECK(with_step(kDay, "45m").tier == Tier::minute);
  CHECK(with_step(kDay, "1h").tier == Tier::hour);
  CHECK(with_step(10 * kDay, "90m").tier == Tier::minute);
  CHECK(with_step(10 * kDay, "1d").tier == Tier::hour);
  PlanRequest percentile = last(kDay);
  percentile.step = Step{kHour, 0};
  percentile.aggregates = {Aggregate::average, Aggregate::p95};
  CHECK(planned(percentile).tier == Tier::raw);
}

TEST_CASE("Days are days of the zone: 25 hours when the clocks go back [T-T03]", "[plan][T-T03]") {
  const auto berlin = TimeZone::find("Europe/Berlin");
  const auto kathmandu = TimeZone::find("Asia/Kathmandu");
  if (!berlin || !kathmandu) SKIP("no time zone database here");
  PlanRequest request;
  request.range = *parse_range("2026-10-24", "2026-10-27", kNow, &*berlin);
  request.step = *parse_step("1d", "step");
  request.zone = *berlin;
  const Plan plan = planned(request);
  REQUIRE(plan.grid.count == 3);
  CHECK(bucket_range(plan.grid, 0).to_ms - bucket_range(plan.grid, 0).from_ms == 24 * kHour);
  CHECK(bucket_range(plan.grid, 1).to_ms - bucket_range(plan.grid, 1).from_ms == 25 * kHour);
  CHECK(bucket_range(plan.grid, 0).from_ms == request.range.from_ms);
  CHECK(plan.tier == Tier::hour);
  CHECK(bucket_of(plan.grid, request.range.from_ms + 49 * kHour - 1) == 1);
  CHECK(bucket_of(plan.grid, request.range.from_ms + 49 * kHour) == 2);
  CHECK_FALSE(bucket_of(plan.grid, request.range.to_ms).has_value());
  request.zone = *kathmandu;  // days begin at 18:15 UTC, in the middle of an hour
  CHECK(planned(request).tier == Tier::minute);
}

TEST_CASE("What cannot be planned is refused with a way out", "[plan]") {
  PlanRequest both = last(kHour);
  both.step = Step{1000, 0};
  both.points = 10;
  CHECK(plan_buckets(both).error().code == ErrorCode::invalid_argument);
  PlanRequest none = last(kHour);
  none.points = 0;
  CHECK(plan_buckets(none).error().code == ErrorCode::invalid_argument);
  PlanRequest fine = last(365 * kDay);
  fine.step = Step{1000, 0};
  const auto refused = plan_buckets(fine);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code == ErrorCode::too_large);
  CHECK(refused.error().fix.find("step of about") != std::string::npos);
  PlanRequest empty = last(kHour);
  empty.range.to_ms = empty.range.from_ms;
  CHECK_FALSE(plan_buckets(empty).has_value());
}

TEST_CASE("Times find their bucket, also at the edges", "[plan]") {
  const BucketGrid grid{10'000, 1'000, 3, {}};
  CHECK_FALSE(bucket_of(grid, 9'999).has_value());
  CHECK(bucket_of(grid, 10'000) == 0);
  CHECK(bucket_of(grid, 10'999) == 0);
  CHECK(bucket_of(grid, 12'999) == 2);
  CHECK_FALSE(bucket_of(grid, 13'000).has_value());
  CHECK_FALSE(bucket_of(BucketGrid{}, 5).has_value());
}

TEST_CASE("Aggregates have the names that requests use", "[plan]") {
  for (std::size_t i = 0; i < kAggregateCount; ++i) {
    const auto aggregate = static_cast<Aggregate>(i);
    CHECK(aggregate_from(to_string(aggregate)) == aggregate);
  }
  CHECK(aggregate_from("avg") == Aggregate::average);
  CHECK_FALSE(aggregate_from("mean").has_value());
  CHECK(to_string(Tier::minute) == "1m");
  const std::vector<Aggregate> p95{Aggregate::average, Aggregate::p95};
  CHECK(check_aggregates(p95, Tier::raw).has_value());
  CHECK(check_aggregates(p95, Tier::minute).error().message.starts_with("p95 needs every single value"));
  CHECK(check_aggregates(std::vector{Aggregate::sum}, Tier::hour).has_value());
}

}  // namespace
}  // namespace countertop::query
