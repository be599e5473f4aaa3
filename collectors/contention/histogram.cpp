#include "collectors/contention/histogram.hpp"

#include <algorithm>
#include <cmath>

namespace countertop::contention {

std::uint64_t Histogram::total() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts_) sum += count;
  return sum;
}

std::uint64_t Histogram::quantile(double share) const {
  const std::uint64_t all = total();
  if (all == 0) return 0;
  // NaN compares false and becomes 0; the first wait at least is asked for.
  const double clamped = share > 0 ? std::min(share, 1.0) : 0.0;
  const double wanted = std::max(1.0, std::ceil(clamped * static_cast<double>(all)));
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    seen += counts_[bucket];
    if (counts_[bucket] != 0 && static_cast<double>(seen) >= wanted) return upper_bound(bucket);
  }
  return upper_bound(kBuckets - 1);
}

}  // namespace countertop::contention
