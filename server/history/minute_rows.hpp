// One instance's minutes: what the columns of a `minute` blob mean.
//
// Column 0: samples in the minute, column 1: seconds they cover. Then six columns for each counter of the
// object, one group for each counter, so that a counter is read without the rest: average, minimum rounded
// down, maximum rounded up, last, samples without a value, seconds without a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/minute_codec.hpp"
#include "server/query/buckets.hpp"

namespace countertop::history {

inline constexpr std::size_t kMinuteColumnsPerInstance = 2;
inline constexpr std::size_t kMinuteColumnsPerCounter = 6;

/// Collects values of all counters of one instance over one minute window, then encodes them.
class MinuteBuilder {
 public:
  /// `window_start_ms`: begin of the minute window.
  void begin(std::int64_t window_start_ms, std::size_t counters);
  void add(std::size_t counter, std::int64_t wall_ms, double value, double weight_s);
  /// A sample was there, whether or not its counters have values.
  void add_sample(std::int64_t wall_ms, double weight_s);
  [[nodiscard]] bool empty() const { return used_.empty(); }
  /// Valid until the next begin.
  [[nodiscard]] Result<ByteView> encode();
  /// The collected minutes of one counter, ascending, those without a value left out.
  void points(std::size_t counter, std::vector<query::TierPoint>& out) const;

 private:
  struct Cell {
    double minimum = 0, maximum = 0, last = 0, weighted_sum = 0, weight_s = 0;
    std::int64_t last_ms = 0;
    std::uint32_t count = 0;
  };
  struct Minute {
    std::uint32_t samples = 0;
    double weight_s = 0;
  };
  [[nodiscard]] std::size_t minute_of(std::int64_t wall_ms) const;

  std::int64_t start_ms_ = 0;
  std::size_t counters_ = 0;
  std::vector<Minute> minutes_;
  std::vector<Cell> cells_;  // minute-major
  std::vector<std::uint32_t> used_;
  std::vector<std::vector<std::int64_t>> columns_;
  MinuteEncoder encoder_;
};

/// Reads minutes of one counter.
class MinuteReader {
 public:
  /// `blob` must live until the last read. `counters`: of the object's definition.
  [[nodiscard]] Result<void> open(ByteView blob, std::int64_t window_start_ms, std::size_t counters);
  /// Replaces `points`; minutes without a value are left out.
  [[nodiscard]] Result<void> read(std::size_t counter, std::vector<query::TierPoint>& points);

 private:
  MinuteDecoder decoder_;
  std::int64_t start_ms_ = 0;
  std::vector<std::int64_t> samples_, seconds_;
  std::vector<std::int64_t> average_, minimum_, maximum_, last_, no_samples_, no_seconds_;
};

}  // namespace countertop::history
