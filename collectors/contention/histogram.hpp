// How long waits lasted, in steps of a seventh to a quarter.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace countertop::contention {

/// Log-linear over nanoseconds: 4 buckets to each power of two from 1.024 us (2^10) to 68.7 s (2^36); shorter
/// waits go to the first, longer ones to the last. The eBPF source is to compute the same index, so the
/// layout is part of the format in which windows are stored.
class Histogram {
 public:
  static constexpr int kFirstPower = 10;
  static constexpr int kLastPower = 36;
  static constexpr std::size_t kBuckets = static_cast<std::size_t>(kLastPower - kFirstPower) * 4 + 2;

  [[nodiscard]] static constexpr std::size_t bucket_of(std::uint64_t nanoseconds) {
    if (nanoseconds < (1ULL << kFirstPower)) return 0;
    const int power = static_cast<int>(std::bit_width(nanoseconds)) - 1;
    if (power >= kLastPower) return kBuckets - 1;
    const auto quarter = static_cast<std::size_t>((nanoseconds >> (power - 2)) & 3U);
    return 1 + static_cast<std::size_t>(power - kFirstPower) * 4 + quarter;
  }
  /// Upper bound of a bucket in nanoseconds; the last one's is "more".
  [[nodiscard]] static constexpr std::uint64_t upper_bound(std::size_t bucket) {
    if (bucket == 0) return 1ULL << kFirstPower;
    if (bucket >= kBuckets - 1) return UINT64_MAX;
    const auto power = static_cast<unsigned>((bucket - 1) / 4) + kFirstPower;
    return (1ULL << power) + ((bucket - 1) % 4 + 1) * (1ULL << (power - 2));
  }

  void add(std::uint64_t nanoseconds, std::uint64_t count = 1) { counts_[bucket_of(nanoseconds)] += count; }
  void add_bucket(std::size_t bucket, std::uint64_t count) {
    counts_[bucket < kBuckets ? bucket : kBuckets - 1] += count;
  }
  void merge(const Histogram& other) {
    for (std::size_t i = 0; i < kBuckets; ++i) counts_[i] += other.counts_[i];
  }
  [[nodiscard]] std::uint64_t total() const;
  /// The upper bound of the bucket in which the quantile (0..1) lies; 0 when empty.
  [[nodiscard]] std::uint64_t quantile(double share) const;
  [[nodiscard]] std::span<const std::uint64_t> counts() const { return counts_; }

  friend bool operator==(const Histogram&, const Histogram&) = default;

 private:
  std::array<std::uint64_t, kBuckets> counts_{};
};

}  // namespace countertop::contention
