#include "server/history/minute_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "server/history/layout.hpp"
#include "server/history/quantize.hpp"

namespace countertop::history {

namespace {

constexpr std::size_t kMinutesPerWindow = static_cast<std::size_t>(kMinuteWindowMs / kMinuteMs);

std::int64_t rounded(double seconds) { return std::llround(std::clamp(seconds, 0.0, 1e9)); }

}  // namespace

void MinuteBuilder::begin(std::int64_t window_start_ms, std::size_t counters) {
  start_ms_ = window_start_ms;
  counters_ = counters;
  cells_.assign(kMinutesPerWindow * counters, Cell{});
}

std::size_t MinuteBuilder::minute_of(std::int64_t wall_ms) const {
  // Times that do not fit into ids lie in the first or last window, at its edge.
  const std::int64_t minute = (wall_ms - start_ms_) / kMinuteMs;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(minute, 0, kMinutesPerWindow - 1));
}

void MinuteBuilder::add(std::size_t counter, std::int64_t wall_ms, double value, double weight_s) {
  if (!std::isfinite(value)) return;
  if (!(weight_s > 0)) weight_s = 1;
  Cell& cell = cells_[minute_of(wall_ms) * counters_ + counter];
  const bool first = cell.count == 0;
  cell.minimum = first ? value : std::min(cell.minimum, value);
  cell.maximum = first ? value : std::max(cell.maximum, value);
  if (first || wall_ms >= cell.last_ms) {
    cell.last = value;
    cell.last_ms = wall_ms;
  }
  cell.weighted_sum += value * weight_s;
  cell.weight_s += weight_s;
  ++cell.count;
}

void MinuteBuilder::points(std::size_t counter, std::vector<query::TierPoint>& out) const {
  out.clear();
  for (std::size_t minute = 0; minute < kMinutesPerWindow; ++minute) {
    const Cell& cell = cells_[minute * counters_ + counter];
    if (cell.count == 0) continue;
    out.push_back(query::TierPoint{start_ms_ + static_cast<std::int64_t>(minute) * kMinuteMs,
                                   cell.weighted_sum / cell.weight_s, cell.minimum, cell.maximum, cell.last,
                                   cell.weight_s, cell.count});
  }
}

Result<ByteView> MinuteBuilder::encode(std::size_t first, std::size_t count) {
  used_.clear();
  columns_.resize(kColumnsPerCounter * count);
  for (auto& column : columns_) column.clear();
  for (std::size_t minute = 0; minute < kMinutesPerWindow; ++minute) {
    const auto cells = std::span(cells_).subspan(minute * counters_ + first, count);
    if (std::ranges::all_of(cells, [](const Cell& cell) { return cell.count == 0; })) continue;
    used_.push_back(static_cast<std::uint32_t>(minute));
    for (std::size_t i = 0; i < count; ++i) {
      const Cell& cell = cells[i];
      const bool is_empty = cell.count == 0;
      auto* const column = &columns_[kColumnsPerCounter * i];
      column[0].push_back(is_empty ? kNoValue
                                   : quantize_nearest(cell.weighted_sum / cell.weight_s, kAverageBits));
      column[1].push_back(is_empty ? kNoValue : quantize_down(cell.minimum));
      column[2].push_back(is_empty ? kNoValue : quantize_up(cell.maximum));
      column[3].push_back(cell.count);
      column[4].push_back(rounded(cell.weight_s));
      column[5].push_back(is_empty ? kNoValue : quantize_nearest(cell.last, kLastBits));
    }
  }
  if (used_.empty()) return ByteView();
  const std::vector<std::span<const std::int64_t>> views(columns_.begin(), columns_.end());
  std::vector<std::size_t> groups;
  for (std::size_t i = 0; i < count; ++i) groups.insert(groups.end(), {kColumnsPerCounter - 1, 1});
  return encoder_.encode(used_, views, groups);
}

Result<void> MinuteReader::read(ByteView blob, const Place& place, bool with_last,
                                std::vector<query::TierPoint>& points) {
  points.clear();
  if (const auto opened = decoder_.open(blob); !opened) return opened;
  if (decoder_.columns() != kColumnsPerCounter * place.counters)
    return fail(ErrorCode::malformed, "a row of minutes has another number of counters than it should");
  for (std::size_t i = 0; i < kColumnsPerCounter - (with_last ? 0 : 1); ++i) {
    const auto read = decoder_.read_column(kColumnsPerCounter * place.counter + i, columns_[i]);
    if (!read) return read;
  }
  points.reserve(decoder_.rows());
  const auto minutes = decoder_.minutes();
  const auto& [average, minimum, maximum, samples, seconds, last] = columns_;
  for (std::size_t row = 0; row < decoder_.rows(); ++row) {
    if (samples[row] <= 0) continue;
    query::TierPoint point;
    point.time_ms = place.window_start_ms + std::int64_t{minutes[row]} * kMinuteMs;
    point.average = dequantize(average[row], kAverageBits);
    point.minimum = dequantize(minimum[row]);
    point.maximum = dequantize(maximum[row]);
    point.last = with_last ? dequantize(last[row], kLastBits) : std::numeric_limits<double>::quiet_NaN();
    point.weight_s = static_cast<double>(seconds[row]);
    point.count = static_cast<std::uint64_t>(samples[row]);
    if (!std::isnan(point.average)) points.push_back(point);
  }
  return {};
}

}  // namespace countertop::history
