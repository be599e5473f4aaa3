// Minutes of one or several counters of an instance: what the columns of a `minute` blob mean.
//
// Six columns for each counter. Five in a first group: average, minimum rounded down, maximum rounded up,
// samples with a value, seconds they cover; the last value in a second one, since few ask for it. Values are
// quantized (quantize.hpp). Minutes without any value are left out. A counter has a row of its own, except
// where the object's instances come and go (its object has a NotableRule): a process that lived for a minute
// takes one small row, not twelve, under counter 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collectors/core/object.hpp"
#include "collectors/core/result.hpp"
#include "server/history/minute_codec.hpp"
#include "server/query/buckets.hpp"

namespace countertop::history {

inline constexpr std::size_t kColumnsPerCounter = 6;

[[nodiscard]] inline bool shares_minute_row(const ObjectDefinition& object) {
  return object.notable.has_value();
}

/// Collects values of all counters of one instance over one minute window, then encodes them counter by
/// counter.
class MinuteBuilder {
 public:
  /// `window_start_ms`: begin of the minute window.
  void begin(std::int64_t window_start_ms, std::size_t counters);
  void add(std::size_t counter, std::int64_t wall_ms, double value, double weight_s);
  /// The counters [first, first + count). Valid until the next call; empty when none has a value in the
  /// window.
  [[nodiscard]] Result<ByteView> encode(std::size_t first, std::size_t count);
  /// The collected minutes of one counter, ascending, those without a value left out.
  void points(std::size_t counter, std::vector<query::TierPoint>& out) const;

 private:
  struct Cell {
    double minimum = 0, maximum = 0, last = 0, weighted_sum = 0, weight_s = 0;
    std::int64_t last_ms = 0;
    std::uint32_t count = 0;
  };
  [[nodiscard]] std::size_t minute_of(std::int64_t wall_ms) const;

  std::int64_t start_ms_ = 0;
  std::size_t counters_ = 0;
  std::vector<Cell> cells_;  // minute-major
  std::vector<std::uint32_t> used_;
  std::vector<std::vector<std::int64_t>> columns_;
  MinuteEncoder encoder_;
};

/// Reads such blobs.
class MinuteReader {
 public:
  /// Replaces `points` by the minutes of one of the `counters` in a blob whose window begins at
  /// `window_start_ms`. Without `with_last` their `last` is NaN.
  struct Place {
    std::int64_t window_start_ms = 0;
    std::size_t counter = 0;
    std::size_t counters = 1;
  };
  [[nodiscard]] Result<void> read(ByteView blob, const Place& place, bool with_last,
                                  std::vector<query::TierPoint>& points);

 private:
  MinuteDecoder decoder_;
  std::array<std::vector<std::int64_t>, kColumnsPerCounter> columns_;
};

}  // namespace countertop::history
