#include <algorithm>
#include <numeric>

#include "server/history/column_codec.hpp"
#include "server/history/minute_codec.hpp"

namespace countertop::history {
namespace {

/// Minutes as runs: rows before the run's start are absent.
Result<void> append_minutes(std::span<const std::uint32_t> minutes, Bytes& out) {
  Bytes runs;
  std::uint64_t count = 0;
  std::size_t end = 0;
  for (std::size_t i = 0; i < minutes.size();) {
    const std::size_t first = minutes[i];
    if (first < end) return fail(ErrorCode::invalid_argument, "Minutes must ascend.");
    std::size_t length = 1;
    while (i + length < minutes.size() && minutes[i + length] == first + length) ++length;
    append_varint(runs, first - end);
    append_varint(runs, length);
    end = first + length;
    i += length;
    ++count;
  }
  if (end > static_cast<std::size_t>(kMinuteWindowMinutes)) {
    return fail(ErrorCode::invalid_argument, "A minute lies outside its window.");
  }
  append_varint(out, count);
  out.insert(out.end(), runs.begin(), runs.end());
  return {};
}

}  // namespace

Result<ByteView> MinuteEncoder::encode(std::span<const std::uint32_t> minutes,
                                       std::span<const std::span<const std::int64_t>> columns,
                                       std::span<const std::size_t> groups) {
  if (minutes.empty()) return fail(ErrorCode::invalid_argument, "A minute chunk needs at least one row.");
  if (columns.empty() || columns.size() > kMaxMinuteColumns) {
    return fail(ErrorCode::too_large, "A minute chunk must have 1 to 1024 columns.");
  }
  if (std::ranges::any_of(columns, [&](const auto& column) { return column.size() != minutes.size(); })) {
    return fail(ErrorCode::invalid_argument, "The columns of a minute chunk differ in length.");
  }
  if (std::accumulate(groups.begin(), groups.end(), std::size_t{0}) != columns.size() ||
      std::ranges::find(groups, std::size_t{0}) != groups.end()) {
    return fail(ErrorCode::invalid_argument, "The groups of a minute chunk do not cover its columns.");
  }
  directory_.clear();
  if (Result<void> appended = append_minutes(minutes, directory_); !appended)
    return tl::unexpected(appended.error());

  groups_.clear();
  Bytes encoded;
  std::size_t next = 0;
  for (const std::size_t count : groups) {
    body_.clear();
    encoded.clear();
    for (const std::span<const std::int64_t> column : columns.subspan(next, count)) {
      const std::size_t begin = encoded.size();
      encode_column(column, encoded);
      append_varint(body_, encoded.size() - begin);
    }
    next += count;
    body_.insert(body_.end(), encoded.begin(), encoded.end());
    if (body_.size() > kMaxMinuteGroupBytes)
      return fail(ErrorCode::too_large, "A group of minutes is too large.");
    const std::size_t begin = groups_.size();
    const bool compressed = compressor_.append_if_smaller(body_, groups_);
    if (!compressed) groups_.insert(groups_.end(), body_.begin(), body_.end());
    append_varint(directory_, count);
    append_varint(directory_, body_.size());
    append_varint(directory_, compressed ? groups_.size() - begin : 0);
    append_check(groups_, begin);
  }
  blob_.assign({kMinuteCodec});
  append_varint(blob_, minutes.size());
  append_varint(blob_, columns.size());
  append_varint(blob_, directory_.size());
  blob_.insert(blob_.end(), directory_.begin(), directory_.end());
  append_check(blob_);
  blob_.insert(blob_.end(), groups_.begin(), groups_.end());
  return ByteView(blob_);
}

}  // namespace countertop::history
