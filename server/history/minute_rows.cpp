#include "server/history/minute_rows.hpp"

#include <algorithm>
#include <cmath>

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
  minutes_.assign(kMinutesPerWindow, Minute{});
  cells_.assign(kMinutesPerWindow * counters, Cell{});
  used_.clear();
}

std::size_t MinuteBuilder::minute_of(std::int64_t wall_ms) const {
  // Times that do not fit into ids lie in the first or last window, at its edge.
  const std::int64_t minute = (wall_ms - start_ms_) / kMinuteMs;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(minute, 0, kMinutesPerWindow - 1));
}

void MinuteBuilder::add_sample(std::int64_t wall_ms, double weight_s) {
  const std::size_t minute = minute_of(wall_ms);
  if (minutes_[minute].samples == 0) used_.push_back(static_cast<std::uint32_t>(minute));
  ++minutes_[minute].samples;
  minutes_[minute].weight_s += weight_s > 0 ? weight_s : 1;
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

Result<ByteView> MinuteBuilder::encode() {
  std::ranges::sort(used_);
  columns_.assign(kMinuteColumnsPerInstance + kMinuteColumnsPerCounter * counters_, {});
  for (auto& column : columns_) column.reserve(used_.size());
  for (const std::uint32_t minute : used_) {
    const Minute& common = minutes_[minute];
    columns_[0].push_back(common.samples);
    columns_[1].push_back(rounded(common.weight_s));
    for (std::size_t counter = 0; counter < counters_; ++counter) {
      const Cell& cell = cells_[minute * counters_ + counter];
      auto* const column = &columns_[kMinuteColumnsPerInstance + kMinuteColumnsPerCounter * counter];
      const bool is_empty = cell.count == 0;
      column[0].push_back(is_empty ? kNoValue
                                   : quantize_nearest(cell.weighted_sum / cell.weight_s, kAverageBits));
      column[1].push_back(is_empty ? kNoValue : quantize_down(cell.minimum));
      column[2].push_back(is_empty ? kNoValue : quantize_up(cell.maximum));
      column[3].push_back(is_empty ? kNoValue : quantize_nearest(cell.last, kLastBits));
      column[4].push_back(std::int64_t{common.samples} - std::int64_t{cell.count});
      column[5].push_back(rounded(common.weight_s) - rounded(cell.weight_s));
    }
  }
  std::vector<std::span<const std::int64_t>> views(columns_.begin(), columns_.end());
  std::vector<std::size_t> groups{kMinuteColumnsPerInstance};
  groups.resize(1 + counters_, kMinuteColumnsPerCounter);
  return encoder_.encode(used_, views, groups);
}

Result<void> MinuteReader::open(ByteView blob, std::int64_t window_start_ms, std::size_t counters) {
  start_ms_ = window_start_ms;
  if (const auto opened = decoder_.open(blob); !opened) return opened;
  if (decoder_.columns() != kMinuteColumnsPerInstance + kMinuteColumnsPerCounter * counters)
    return fail(ErrorCode::malformed, "a minute chunk has another number of counters than its object");
  if (const auto read = decoder_.read_column(0, samples_); !read) return read;
  return decoder_.read_column(1, seconds_);
}

Result<void> MinuteReader::read(std::size_t counter, std::vector<query::TierPoint>& points) {
  points.clear();
  const std::size_t first = kMinuteColumnsPerInstance + kMinuteColumnsPerCounter * counter;
  std::vector<std::int64_t>* const columns[] = {&average_, &minimum_,    &maximum_,
                                                &last_,    &no_samples_, &no_seconds_};
  for (std::size_t i = 0; i < kMinuteColumnsPerCounter; ++i) {
    if (const auto read = decoder_.read_column(first + i, *columns[i]); !read) return read;
  }
  points.reserve(decoder_.rows());
  const auto minutes = decoder_.minutes();
  for (std::size_t row = 0; row < decoder_.rows(); ++row) {
    const std::int64_t count = wrapping_subtract(samples_[row], no_samples_[row]);
    if (count <= 0 || average_[row] == kNoValue) continue;
    const std::int64_t seconds = wrapping_subtract(seconds_[row], no_seconds_[row]);
    points.push_back(query::TierPoint{start_ms_ + std::int64_t{minutes[row]} * kMinuteMs,
                                      dequantize(average_[row], kAverageBits), dequantize(minimum_[row]),
                                      dequantize(maximum_[row]), dequantize(last_[row], kLastBits),
                                      static_cast<double>(seconds), static_cast<std::uint64_t>(count)});
  }
  return {};
}

}  // namespace countertop::history
