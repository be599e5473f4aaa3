#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>

#include "server/history/chunk_codec.hpp"
#include "server/history/column_codec.hpp"

namespace countertop::history {
namespace {

using Columns = std::span<const std::span<const std::int64_t>>;

constexpr std::size_t kSampledRows = 128;
constexpr std::size_t kMaxReferences = 2;

/// Differences at some rows, spread evenly: enough to see which columns move together.
using Movement = std::vector<std::int64_t>;

Movement movement_of(std::span<const std::int64_t> values) {
  Movement movement;
  const std::size_t stride = std::max<std::size_t>(1, (values.size() - 1) / kSampledRows);
  for (std::size_t i = 1; i < values.size(); i += stride) {
    movement.push_back(wrapping_subtract(values[i], values[i - 1]));
  }
  return movement;
}

std::uint64_t bits_of(const Movement& movement) {
  std::uint64_t bits = 0;
  for (const std::int64_t value : movement) bits += static_cast<std::uint64_t>(std::bit_width(zigzag(value)));
  return bits;
}

/// Bits that stay when `other` is taken off (or added to) `movement`; gives up at `limit`.
std::uint64_t bits_left(const Movement& movement, const Movement& other, bool subtracted,
                        std::uint64_t limit) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < movement.size() && bits < limit; ++i) {
    const std::int64_t left =
        subtracted ? wrapping_add(movement[i], other[i]) : wrapping_subtract(movement[i], other[i]);
    bits += static_cast<std::uint64_t>(std::bit_width(zigzag(left)));
  }
  return bits;
}

/// What is left of a column when the columns it refers to are taken off.
void take_off(const ColumnReference& reference, std::span<const std::int64_t> other,
              std::vector<std::int64_t>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] =
        reference.subtract ? wrapping_add(values[i], other[i]) : wrapping_subtract(values[i], other[i]);
  }
}

/// Finds references among the columns that have none themselves.
class ReferenceFinder {
 public:
  explicit ReferenceFinder(Columns columns) : columns_(columns) { movements_.reserve(columns.size()); }

  /// To be called for each column in order.
  std::vector<ColumnReference> find(std::size_t column) {
    Movement movement = movement_of(columns_[column]);
    movements_.push_back(movement);
    bits_.push_back(bits_of(movement));
    // Taking off one half of a sum saves little: only the end of the search tells whether it was worth it.
    std::uint64_t bits = bits_.back();
    std::vector<ColumnReference> references;
    std::size_t useful = 0;
    while (references.size() < kMaxReferences && bits > 0) {
      const std::uint64_t before = bits;
      const std::optional<ColumnReference> best = find_one(movement, references.empty(), bits);
      if (!best) break;
      take_off(*best, movements_[best->column], movement);
      references.push_back(*best);
      const bool pays = useful == 1 ? bits < before - before / 8 : bits < bits_.back() - bits_.back() / 8;
      if (pays) useful = references.size();
    }
    references.resize(useful);
    return references;
  }

  /// Columns with references cannot be referred to.
  void exclude(std::size_t column) { bits_[column] = 0; }

 private:
  /// The column that leaves the fewest bits, fewer than `bits`, which is lowered to that. The first reference
  /// is always subtracted: fields that move against each other are rare.
  std::optional<ColumnReference> find_one(const Movement& movement, bool is_first,
                                          std::uint64_t& bits) const {
    std::optional<ColumnReference> best;
    for (std::size_t other = 0; other + 1 < movements_.size(); ++other) {
      if (bits_[other] == 0) continue;
      for (const bool subtract : {false, true}) {
        if (subtract && is_first) continue;
        const std::uint64_t left = bits_left(movement, movements_[other], subtract, bits);
        if (left >= bits) continue;
        bits = left;
        best = ColumnReference{static_cast<std::uint8_t>(other), subtract};
      }
    }
    return best;
  }

  Columns columns_;
  std::vector<Movement> movements_;
  std::vector<std::uint64_t> bits_;  // 0: never moves, or may not be referred to
};

/// Appends one column and its directory entry.
void encode_field(Columns columns, std::size_t field, ReferenceFinder& finder, Bytes& directory, Bytes& out) {
  const std::size_t begin = out.size();
  const std::uint64_t plain_cost = encode_column(columns[field], out);
  std::vector<ColumnReference> references = finder.find(field);
  if (!references.empty() && plain_cost > 0) {
    std::vector<std::int64_t> rest(columns[field].begin(), columns[field].end());
    for (const ColumnReference& reference : references) take_off(reference, columns[reference.column], rest);
    Bytes shorter;
    if (encode_column(rest, shorter) < plain_cost - plain_cost / 16) {
      out.resize(begin);
      out.insert(out.end(), shorter.begin(), shorter.end());
      finder.exclude(field);
    } else {
      references.clear();
    }
  } else {
    references.clear();
  }
  append_varint(directory, (out.size() - begin) << 2 | references.size());
  for (const ColumnReference& reference : references) {
    append_varint(directory,
                  static_cast<std::uint64_t>(reference.column) << 1 | (reference.subtract ? 1 : 0));
  }
}

Result<std::size_t> count_rows(std::span<const PresenceRun> runs) {
  std::size_t rows = 0;
  std::size_t end = 0;
  for (const PresenceRun& run : runs) {
    const bool touches = !(run == runs.front()) && run.first_row <= end;
    if (run.count == 0 || touches) {
      return fail(ErrorCode::invalid_argument, "The presence runs of a chunk must ascend and not touch.");
    }
    end = std::size_t{run.first_row} + run.count;
    rows += run.count;
  }
  if (rows == 0) return fail(ErrorCode::invalid_argument, "A chunk needs at least one row.");
  if (end > kMaxChunkRows) return fail(ErrorCode::too_large, "A chunk has more rows than its format allows.");
  return rows;
}

void append_runs(std::span<const PresenceRun> runs, Bytes& out) {
  append_varint(out, runs.size());
  std::size_t end = 0;
  for (const PresenceRun& run : runs) {
    append_varint(out, run.first_row - end);
    append_varint(out, run.count);
    end = std::size_t{run.first_row} + run.count;
  }
}

}  // namespace

Result<ByteView> ChunkEncoder::encode(std::span<const PresenceRun> runs, Columns columns) {
  const Result<std::size_t> rows = count_rows(runs);
  if (!rows) return tl::unexpected(rows.error());
  if (columns.empty() || columns.size() > kMaxChunkFields) {
    return fail(ErrorCode::too_large, "A chunk must have 1 to 64 fields.");
  }
  if (std::ranges::any_of(columns, [&](const auto& column) { return column.size() != *rows; })) {
    return fail(ErrorCode::invalid_argument,
                "The columns of a chunk differ from its presence runs in length.");
  }
  body_.clear();
  append_runs(runs, body_);
  columns_.clear();
  ReferenceFinder finder(columns);
  for (std::size_t field = 0; field < columns.size(); ++field)
    encode_field(columns, field, finder, body_, columns_);
  body_.insert(body_.end(), columns_.begin(), columns_.end());
  if (body_.size() > kMaxChunkBodyBytes) return fail(ErrorCode::too_large, "A chunk has become too large.");

  blob_.assign({kChunkCodec, 1});
  append_varint(blob_, *rows);
  append_varint(blob_, columns.size());
  append_varint(blob_, body_.size());
  if (!compressor_.append_if_smaller(body_, blob_)) {
    blob_[1] = 0;
    blob_.insert(blob_.end(), body_.begin(), body_.end());
  }
  append_check(blob_);
  return ByteView(blob_);
}

}  // namespace countertop::history
