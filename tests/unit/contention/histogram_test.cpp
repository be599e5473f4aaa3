#include "collectors/contention/histogram.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

// The contract's other headers have no code yet: that they compile together is all there is to hold.
#include "collectors/contention/contention_window.hpp"
#include "collectors/contention/wait_source.hpp"

namespace countertop::contention {
namespace {

TEST_CASE("each bucket begins where the one before ends") {
  for (std::size_t bucket = 0; bucket + 1 < Histogram::kBuckets; ++bucket) {
    CAPTURE(bucket);
    CHECK(Histogram::bucket_of(Histogram::upper_bound(bucket) - 1) == bucket);
    CHECK(Histogram::bucket_of(Histogram::upper_bound(bucket)) == bucket + 1);
  }
  CHECK(Histogram::bucket_of(0) == 0);
  CHECK(Histogram::bucket_of(UINT64_MAX) == Histogram::kBuckets - 1);
}

TEST_CASE("waits are counted in their bucket and merge") {
  Histogram one, other;
  one.add(1'500);
  other.add(1'500, 2);
  other.add_bucket(Histogram::kBuckets + 7, 1);  // from outside: the last bucket takes it
  one.merge(other);
  CHECK(one.counts()[Histogram::bucket_of(1'500)] == 3);
  CHECK(one.counts()[Histogram::kBuckets - 1] == 1);
}

TEST_CASE("A quantile is the upper bound of the bucket in which it lies") {
  Histogram histogram;
  CHECK(histogram.quantile(0.5) == 0);
  histogram.add(2'000, 90);
  histogram.add(1'000'000, 10);
  CHECK(histogram.total() == 100);
  const auto bound_of = [](std::uint64_t ns) { return Histogram::upper_bound(Histogram::bucket_of(ns)); };
  CHECK(histogram.quantile(0) == bound_of(2'000));
  CHECK(histogram.quantile(0.9) == bound_of(2'000));
  CHECK(histogram.quantile(0.91) == bound_of(1'000'000));
  CHECK(histogram.quantile(1) == bound_of(1'000'000));
  CHECK(histogram.quantile(7) == bound_of(1'000'000));
  CHECK(histogram.quantile(std::nan("")) == bound_of(2'000));
}

}  // namespace
}  // namespace countertop::contention
