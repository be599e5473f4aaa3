// One column of 64-bit integers as bytes: the cheapest of six transforms, then zigzag and LEB128.
//
// The bytes are made for a general compressor that follows (zstd): small numbers of one byte each, column
// after column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/bytes.hpp"

namespace countertop::history {

/// Appends the column to `out`. Values may be anything, kNoValue included: rows without a value are written
/// apart as runs, so that they do not spoil the differences of their neighbours. Returns how many bits the
/// column needs by a rough estimate: for choosing between columns that say the same.
std::uint64_t encode_column(std::span<const std::int64_t> values, Bytes& out);

/// Reads the column written by encode_column out of `bytes`, which hold it and nothing else. `out` has the
/// number of rows that were encoded; its contents are unspecified after an error (ErrorCode::malformed).
[[nodiscard]] Result<void> decode_column(ByteView bytes, std::span<std::int64_t> out);

/// Whether the bytes say "zero in every row", without decoding.
[[nodiscard]] bool is_all_zero(ByteView bytes);

}  // namespace countertop::history
