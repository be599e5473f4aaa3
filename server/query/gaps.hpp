// Where samples are missing, and why.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectors/core/snapshot.hpp"
#include "server/query/model.hpp"

namespace countertop::query {

/// Stretches of `range` in which no sample was taken although one was due each `interval_ms`, ascending. A
/// stretch begins where the next sample was due and ends at the next sample; one missing sample is jitter,
/// not a gap. Give `range.to_ms` no later than now.
///
/// `sample_times_ms`: when the object was sampled, in any order (the wall clock may have been put back).
/// `marks`: by time; beginning before the range, so far as the last stop, failure or full disk before it. A
/// mark with an end, and stop..start, collector_failed..collector_back, disk_full..disk_back explain what
/// lies between; other marks explain a gap that they touch.
[[nodiscard]] std::vector<Gap> find_gaps(std::span<const std::int64_t> sample_times_ms, TimeRange range,
                                         std::int64_t interval_ms, std::span<const Mark> marks);

}  // namespace countertop::query
