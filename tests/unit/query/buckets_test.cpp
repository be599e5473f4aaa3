#include "server/query/buckets.hpp"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <random>

namespace countertop::query {
namespace {

using Catch::Approx;

const std::vector<Aggregate> kAll{Aggregate::average, Aggregate::minimum, Aggregate::maximum,
                                  Aggregate::last,    Aggregate::sum,     Aggregate::count,
                                  Aggregate::p50,     Aggregate::p95,     Aggregate::p99};
enum Column : std::size_t { kAvg, kMin, kMax, kLast, kSum, kCount, kP50, kP95, kP99 };

TEST_CASE("Every aggregate of a bucket, and none of an empty one", "[buckets]") {
  const BucketGrid grid{0, 10'000, 3, {}};
  BucketAccumulator buckets(grid, kAll);
  for (int i = 1; i <= 10; ++i) buckets.add(i * 1000 - 500, i, 1);
  buckets.add(25'000, 7, 1);
  const auto columns = buckets.columns();
  REQUIRE(columns.size() == kAll.size());
  CHECK(columns[kAvg][0] == 5.5);
  CHECK(columns[kMin][0] == 1);
  CHECK(columns[kMax][0] == 10);
  CHECK(columns[kLast][0] == 10);
  CHECK(columns[kSum][0] == 55);
  CHECK(columns[kCount][0] == 10);
  CHECK(columns[kP50][0] == 5);
  CHECK(columns[kP95][0] == 10);
  CHECK(std::isnan(columns[kAvg][1]));
  CHECK(std::isnan(columns[kP95][1]));
  CHECK(columns[kCount][1] == 0);
  CHECK(columns[kP99][2] == 7);
}

TEST_CASE("An average weighs values with the time they stand for", "[buckets]") {
  const BucketGrid grid{0, 10'000, 1, {}};
  BucketAccumulator buckets(grid, kAll);
  buckets.add(1'000, 10, 1);
  buckets.add(10'000 - 1, 100, 9);  // one late reading over nine seconds
  const auto columns = buckets.columns();
  CHECK(columns[kAvg][0] == Approx(91));
  CHECK(columns[kSum][0] == 110);
  CHECK(columns[kCount][0] == 2);
}

TEST_CASE("Values that are no numbers and times outside are left out", "[buckets]") {
  const BucketGrid grid{0, 1'000, 2, {}};
  BucketAccumulator buckets(grid, kAll);
  buckets.add(0, std::numeric_limits<double>::quiet_NaN(), 1);
  buckets.add(0, std::numeric_limits<double>::infinity(), 1);
  buckets.add(-1, 5, 1);
  buckets.add(2'000, 5, 1);
  buckets.add(1'999, 5, 0);  // without a length it counts as one second
  const auto columns = buckets.columns();
  CHECK(columns[kCount] == std::vector<double>{0, 1});
  CHECK(columns[kAvg][1] == 5);
}

TEST_CASE("Values may come in any order; last is the latest in time", "[buckets]") {
  const BucketGrid grid{0, 10'000, 2, {}};
  BucketAccumulator buckets(grid, kAll);
  for (const std::int64_t time : {12'000, 3'000, 9'000, 1'000, 11'000}) {
    buckets.add(time, static_cast<double>(time), 1);
  }
  const auto columns = buckets.columns();
  CHECK(columns[kLast] == std::vector<double>{9'000, 12'000});
  CHECK(columns[kP50][0] == 3'000);
}

TEST_CASE("Rows of a tier give the same as the values behind them", "[buckets][property]") {
  std::mt19937 random(11);
  std::normal_distribution<double> value(50, 20);
  const BucketGrid grid{0, 3'600'000, 4, {}};
  const std::vector<Aggregate> plain{Aggregate::average, Aggregate::minimum, Aggregate::maximum,
                                     Aggregate::last,    Aggregate::sum,     Aggregate::count};
  BucketAccumulator raw(grid, plain);
  BucketAccumulator tiered(grid, plain);
  for (std::int64_t minute = 0; minute < 240; ++minute) {
    TierPoint point{minute * 60'000, 0, 1e300, -1e300, 0, 0, 0};
    double sum = 0;
    for (int second = 0; second < 60; ++second) {
      if (random() % 10 == 0) continue;
      const double v = value(random);
      raw.add(minute * 60'000 + second * 1000, v, 1);
      sum += v;
      point.minimum = std::min(point.minimum, v);
      point.maximum = std::max(point.maximum, v);
      point.last = v;
      ++point.count;
    }
    if (point.count == 0) continue;
    point.weight_s = static_cast<double>(point.count);
    point.average = sum / point.weight_s;
    tiered.add(point);
  }
  const auto a = raw.columns();
  const auto b = tiered.columns();
  for (std::size_t column = 0; column < plain.size(); ++column) {
    for (std::size_t i = 0; i < grid.count; ++i) CHECK(a[column][i] == Approx(b[column][i]).epsilon(1e-12));
  }
}

TEST_CASE("Sums and counts over buckets are those over the rows, and min <= avg <= max",
          "[buckets][property]") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    BucketGrid grid{0, 1 + static_cast<std::int64_t>(random() % 20'000), 0, {}};
    grid.count = static_cast<std::size_t>(100'000 / grid.step_ms + 1);
    if (round % 4 == 0) {  // calendar days of uneven length
      grid.day_starts_ms = {0, 23'000, 48'000, 71'500, 100'001};
      grid.step_ms = 24'000;
      grid.count = 4;
    }
    BucketAccumulator buckets(grid, kAll);
    double sum = 0;
    double count = 0;
    std::vector<double> all;
    for (int i = 0; i < 500; ++i) {
      const auto time = static_cast<std::int64_t>(random() % 100'001);
      const double value = static_cast<double>(random() % 1'000'000) / 7.0 + (random() % 3 == 0 ? 1e9 : 0);
      buckets.add(time, value, static_cast<double>(random() % 30) / 10);
      sum += value;
      ++count;
      all.push_back(value);
    }
    const auto columns = buckets.columns();
    double bucket_sum = 0;
    double bucket_count = 0;
    for (std::size_t i = 0; i < grid.count; ++i) {
      bucket_count += columns[kCount][i];
      if (columns[kCount][i] == 0) continue;
      bucket_sum += columns[kSum][i];
      CHECK(columns[kMin][i] <= columns[kAvg][i]);
      CHECK(columns[kAvg][i] <= columns[kMax][i]);
      CHECK(columns[kMin][i] <= columns[kP50][i]);
      CHECK(columns[kP50][i] <= columns[kP95][i]);
      CHECK(columns[kP95][i] <= columns[kP99][i]);
      CHECK(columns[kP99][i] <= columns[kMax][i]);
    }
    CHECK(bucket_count == count);
    CHECK(bucket_sum == Approx(sum).epsilon(1e-12));
  }
}

TEST_CASE("Percentiles are nearest ranks, also when buckets are sealed on the way", "[buckets]") {
  const BucketGrid grid{0, 1'000'000, 3, {}};
  BucketAccumulator buckets(grid, kAll);
  BucketAccumulator sealed(grid, kAll);
  std::mt19937 random(3);
  std::vector<double> first;
  for (std::int64_t time = 0; time < 3'000'000; time += 1000) {
    const auto value = static_cast<double>(random() % 100'000);
    buckets.add(time, value, 1);
    if (time % 100'000 == 0) sealed.seal_before(time);
    sealed.add(time, value, 1);
    if (time < 1'000'000) first.push_back(value);
  }
  std::ranges::sort(first);
  const auto columns = buckets.columns();
  CHECK(columns[kP50][0] == first[499]);
  CHECK(columns[kP95][0] == first[949]);
  CHECK(columns[kP99][0] == first[989]);
  CHECK(sealed.columns() == columns);
}

TEST_CASE("A spike of one second stays visible in a bucket of hours [T-S08]", "[buckets][T-S08]") {
  const BucketGrid grid{0, 7'200'000, 1, {}};
  BucketAccumulator buckets(grid, kAll);
  for (std::int64_t second = 0; second < 7'200; ++second)
    buckets.add(second * 1000, second == 4'711 ? 100 : 1, 1);
  CHECK(buckets.columns()[kMax][0] == 100);
  CHECK(buckets.columns()[kAvg][0] < 1.1);
}

}  // namespace
}  // namespace countertop::query
