// When an object was sampled, as few ranges as possible, so that months of gaps are found without keeping
// every time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectors/core/snapshot.hpp"
#include "server/query/model.hpp"

namespace countertop::history {

class Coverage {
 public:
  /// Rows of a sealed part or of the tail. The first call with at least three rows settles the interval.
  void add(std::span<const TimeBase> times);
  /// A minute or an hour that has samples.
  void add(query::TimeRange range);

  /// Gaps inside `range` with the marks' reasons; "" when nothing at all is known.
  [[nodiscard]] std::vector<query::Gap> gaps(query::TimeRange range, std::span<const Mark> marks);

 private:
  void extend(std::int64_t from_ms, std::int64_t to_ms);

  std::int64_t interval_ms_ = 1000;
  bool has_interval_ = false;
  std::vector<query::TimeRange> ranges_;  // first and last sample of stretches without a gap
};

}  // namespace countertop::history
