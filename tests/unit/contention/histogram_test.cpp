#include "collectors/contention/histogram.hpp"

#include <catch2/catch_test_macros.hpp>

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

}  // namespace
}  // namespace countertop::contention
