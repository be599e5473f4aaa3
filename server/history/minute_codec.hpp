// One instance's minutes of one long window as a blob: the value of a row in the `minute` table.
//
// Made so that one counter can be read without the rest: columns lie in groups, each compressed by itself,
// and a directory in front says where each group lies. What the columns mean is the caller's affair (last
// values, sums, quantized minima and maxima, counts); columns that are read together should be neighbours.
// Layout:
//   blob: codec byte | varint rows | varint columns | varint directory size | directory | check sum | groups,
//     each with its own check sum
//   directory: minutes as runs (gap, count) | for each group varint columns, body size, stored size, which
//     is 0 when the group is plain
//   group: a zstd frame or plain: varint size of each column | columns (column_codec.hpp)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/bytes.hpp"
#include "server/history/zstd_block.hpp"

namespace countertop::history {

inline constexpr std::uint8_t kMinuteCodec = 1;
inline constexpr std::int64_t kMinuteWindowMinutes = 24 * 60;
inline constexpr std::size_t kMaxMinuteRows = static_cast<std::size_t>(kMinuteWindowMinutes);
inline constexpr std::size_t kMaxMinuteColumns = 1024;
inline constexpr std::size_t kMaxMinuteGroupBytes = std::size_t{4} << 20;

/// Keeps its buffers between chunks; not for two threads at once.
class MinuteEncoder {
 public:
  /// `minutes`: ascending minute numbers inside the window (0 to kMinuteWindowMinutes - 1), one per row.
  /// `columns`: all as long as `minutes`; kNoValue where there is none. `groups`: how many neighbouring
  /// columns go into each group, summing up to columns.size(). The result borrows the encoder's buffer until
  /// the next call.
  [[nodiscard]] Result<ByteView> encode(std::span<const std::uint32_t> minutes,
                                        std::span<const std::span<const std::int64_t>> columns,
                                        std::span<const std::size_t> groups);

 private:
  Compressor compressor_{kSmallLevel};
  Bytes body_, groups_, directory_, blob_;
};

/// Opens one chunk at a time and decompresses only the groups asked for. Not for two threads at once.
class MinuteDecoder {
 public:
  /// `blob` must stay alive and unchanged until the last read. After an error the decoder holds no chunk.
  [[nodiscard]] Result<void> open(ByteView blob);

  [[nodiscard]] std::size_t rows() const { return minutes_.size(); }
  [[nodiscard]] std::size_t columns() const { return group_of_.size(); }
  /// Ascending minute numbers inside the window, one per row. Valid until the next open.
  [[nodiscard]] std::span<const std::uint32_t> minutes() const { return minutes_; }

  /// Fills `out` with rows() values. Reading neighbours one after another decompresses their group once.
  [[nodiscard]] Result<void> read_column(std::size_t column, std::vector<std::int64_t>& out);

 private:
  struct Group {
    std::size_t first_column = 0;
    std::size_t columns = 0;
    std::size_t body_size = 0;
    ByteView stored;  // with its check sum
    bool compressed = false;
  };
  [[nodiscard]] bool read_minutes(ByteReader& reader, std::size_t rows);
  [[nodiscard]] bool read_groups(ByteReader& directory, ByteReader& groups, std::size_t columns);
  [[nodiscard]] Result<void> load_group(std::size_t index);

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  Decompressor decompressor_;
  std::vector<std::uint32_t> minutes_;
  std::vector<Group> groups_;
  std::vector<std::uint16_t> group_of_;  // for each column
  Bytes body_;                           // of the loaded group
  std::vector<ByteView> loaded_;         // its columns
  std::size_t loaded_group_ = kNone;
};

}  // namespace countertop::history
