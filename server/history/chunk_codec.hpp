// One instance's raw rows of one window as a blob: the value of a row in the `chunk` table.
//
// The rows carry no times: `runs` say which rows of the object's clock chunk they belong to. Layout:
//   blob: codec byte | flags | varint row count | varint field count | varint body size | body | check sum
//   body: a zstd frame or plain: varint run count | runs (gap, count) | an entry for each column | columns
//   column: see column_codec.hpp
//   entry: varint (size << 2 | references) | for each reference varint (column << 1 | 1 when subtracted)
// Fields of one instance often add up (active = active(anon) + active(file)): a column may be stored as what
// is left after one or two earlier columns, which themselves have no references, are taken off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/bytes.hpp"
#include "server/history/zstd_block.hpp"

namespace countertop::history {

inline constexpr std::uint8_t kChunkCodec = 1;
/// Limits of encoder and decoder. A window of 20 minutes holds 1'200 rows at the usual pace, 120'000 at 10
/// ms.
inline constexpr std::size_t kMaxChunkRows = std::size_t{1} << 17;
inline constexpr std::size_t kMaxChunkFields = 64;
inline constexpr std::size_t kMaxChunkBodyBytes = std::size_t{32} << 20;

/// Consecutive rows of the clock chunk in which the instance was present.
struct PresenceRun {
  std::uint32_t first_row = 0;  // row number in the clock chunk
  std::uint32_t count = 0;

  friend bool operator==(const PresenceRun&, const PresenceRun&) = default;
};

/// Keeps its compressor and buffers between chunks (about 1.5 MB); not for two threads at once.
class ChunkEncoder {
 public:
  /// `columns`: one per field, all as long as the sum of the runs' counts. Runs ascend and do not touch.
  /// The result borrows the encoder's buffer: valid until the next call. Errors: too_large, invalid_argument.
  [[nodiscard]] Result<ByteView> encode(std::span<const PresenceRun> runs,
                                        std::span<const std::span<const std::int64_t>> columns);

 private:
  Compressor compressor_;
  Bytes columns_, body_, blob_;
};

/// A column that has to be added to (or subtracted from) what is stored.
struct ColumnReference {
  std::uint8_t column = 0;
  bool subtract = false;

  friend bool operator==(const ColumnReference&, const ColumnReference&) = default;
};

/// Opens one chunk at a time and decodes only the fields asked for. Keeps its buffers; not for two threads at
/// once.
class ChunkDecoder {
 public:
  /// `blob` is not needed after the call. After an error (malformed, too_large) the decoder holds no chunk.
  [[nodiscard]] Result<void> open(ByteView blob);

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t fields() const { return columns_.size(); }
  /// Ascending, not touching; their counts sum up to rows(). Valid until the next open.
  [[nodiscard]] std::span<const PresenceRun> runs() const { return runs_; }

  /// Fills `out` with rows() values; kNoValue where the value could not be read.
  [[nodiscard]] Result<void> read_field(std::size_t field, std::vector<std::int64_t>& out) const;

 private:
  struct Column {
    ByteView bytes;  // inside body_
    std::vector<ColumnReference> references;
  };
  [[nodiscard]] Result<void> parse(ByteView blob);
  [[nodiscard]] bool parse_runs(ByteReader& reader);
  [[nodiscard]] bool parse_columns(ByteReader& reader, std::size_t fields);

  Decompressor decompressor_;
  Bytes body_;
  std::size_t rows_ = 0;
  std::vector<PresenceRun> runs_;
  std::vector<Column> columns_;
  mutable std::vector<std::int64_t> reference_values_;
};

}  // namespace countertop::history
