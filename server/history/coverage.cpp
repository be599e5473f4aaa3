#include "server/history/coverage.hpp"

#include <algorithm>
#include <array>

#include "server/query/gaps.hpp"

namespace countertop::history {

void Coverage::add(std::span<const TimeBase> times) {
  if (times.empty()) return;
  if (!has_interval_ && times.size() >= 3) {
    std::vector<std::int64_t> steps;
    for (std::size_t row = 1; row < std::min<std::size_t>(times.size(), 64); ++row)
      steps.push_back(times[row].wall_ms - times[row - 1].wall_ms);
    std::ranges::nth_element(steps, steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2));
    interval_ms_ = std::max<std::int64_t>(steps[steps.size() / 2], 1);
    has_interval_ = true;
  }
  std::int64_t from = times.front().wall_ms;
  std::int64_t last = from;
  for (const TimeBase& time : times) {
    if (time.wall_ms - last > interval_ms_ + interval_ms_ / 2) {
      extend(from, last);
      from = time.wall_ms;
    }
    last = time.wall_ms;
  }
  extend(from, last);
}

void Coverage::add(query::TimeRange range) { extend(range.from_ms, range.to_ms); }

void Coverage::extend(std::int64_t from_ms, std::int64_t to_ms) {
  const std::int64_t tolerance = interval_ms_ + interval_ms_ / 2;
  if (!ranges_.empty()) {
    query::TimeRange& last = ranges_.back();
    if (from_ms >= last.from_ms && from_ms - last.to_ms <= tolerance) {
      last.to_ms = std::max(last.to_ms, to_ms);
      return;
    }
  }
  ranges_.push_back(query::TimeRange{from_ms, to_ms});
}

std::vector<query::Gap> Coverage::gaps(query::TimeRange range, std::span<const Mark> marks) {
  std::ranges::sort(ranges_, {}, &query::TimeRange::from_ms);
  std::vector<query::Gap> gaps;
  const auto look_between = [&](std::span<const std::int64_t> samples, query::TimeRange between) {
    if (between.from_ms >= between.to_ms) return;
    auto found = query::find_gaps(samples, between, interval_ms_, marks);
    gaps.insert(gaps.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  };
  if (ranges_.empty()) {
    look_between({}, range);
    return gaps;
  }
  std::int64_t end_ms = ranges_.front().from_ms;
  look_between(std::array{end_ms}, query::TimeRange{range.from_ms, std::min(end_ms, range.to_ms)});
  for (const query::TimeRange& covered : ranges_) {
    if (covered.from_ms > end_ms && covered.from_ms <= range.to_ms)
      look_between(std::array{end_ms, covered.from_ms},
                   query::TimeRange{std::max(end_ms, range.from_ms), covered.from_ms});
    end_ms = std::max(end_ms, covered.to_ms);
  }
  look_between(std::array{end_ms}, query::TimeRange{std::max(end_ms, range.from_ms), range.to_ms});
  return gaps;
}

}  // namespace countertop::history
