#include "server/history/chunk_codec.hpp"
#include "server/history/column_codec.hpp"

namespace countertop::history {
namespace {

tl::unexpected<Error> damaged(const char* what) {
  return fail(ErrorCode::malformed, std::string("A chunk of the history is damaged: ") + what + ".");
}

}  // namespace

Result<void> ChunkDecoder::open(ByteView blob) {
  Result<void> parsed = parse(blob);
  if (!parsed) {
    rows_ = 0;
    runs_.clear();
    columns_.clear();
  }
  return parsed;
}

Result<void> ChunkDecoder::parse(ByteView blob) {
  if (!remove_check(blob)) return damaged("its check sum is wrong");
  ByteReader header(blob);
  std::uint8_t codec = 0;
  std::uint8_t compressed = 0;
  std::uint64_t rows = 0;
  std::uint64_t fields = 0;
  std::uint64_t body_size = 0;
  if (!header.read_byte(codec) || codec != kChunkCodec) return damaged("its codec is unknown");
  if (!header.read_byte(compressed) || compressed > 1) return damaged("its flags are unknown");
  if (!header.read_varint_up_to(kMaxChunkRows, rows) || rows == 0)
    return damaged("its row count is out of range");
  if (!header.read_varint_up_to(kMaxChunkFields, fields) || fields == 0) {
    return damaged("its field count is out of range");
  }
  if (!header.read_varint_up_to(kMaxChunkBodyBytes, body_size)) return damaged("its size is out of range");
  rows_ = static_cast<std::size_t>(rows);
  if (compressed == 1) {
    body_.resize(static_cast<std::size_t>(body_size));
    if (Result<void> read = decompressor_.read(header.rest(), body_); !read) return read;
  } else {
    if (header.remaining() != body_size) return damaged("its size is wrong");
    body_.assign(header.rest().begin(), header.rest().end());
  }
  ByteReader reader(body_);
  if (!parse_runs(reader)) return damaged("its presence runs do not fit its rows");
  if (!parse_columns(reader, static_cast<std::size_t>(fields))) return damaged("its directory is wrong");
  return {};
}

bool ChunkDecoder::parse_runs(ByteReader& reader) {
  std::uint64_t count = 0;
  if (!reader.read_varint_up_to(reader.remaining() / 2, count)) return false;
  runs_.clear();
  runs_.reserve(static_cast<std::size_t>(count));
  std::size_t end = 0;
  std::size_t rows = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t before = 0;
    std::uint64_t length = 0;
    if (!reader.read_varint_up_to(kMaxChunkRows - end, before) || (i > 0 && before == 0)) return false;
    const std::size_t first = end + static_cast<std::size_t>(before);
    if (!reader.read_varint_up_to(kMaxChunkRows - first, length) || length == 0) return false;
    runs_.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(length)});
    end = first + static_cast<std::size_t>(length);
    rows += static_cast<std::size_t>(length);
  }
  return rows == rows_;
}

bool ChunkDecoder::parse_columns(ByteReader& reader, std::size_t fields) {
  columns_.assign(fields, {});
  std::vector<std::size_t> sizes(fields);
  for (std::size_t field = 0; field < fields; ++field) {
    std::uint64_t entry = 0;
    if (!reader.read_varint(entry)) return false;
    sizes[field] = static_cast<std::size_t>(entry >> 2);
    for (std::uint64_t i = 0; i < (entry & 3); ++i) {
      std::uint64_t reference = 0;
      if (!reader.read_varint(reference) || reference >> 1 >= field) return false;
      const auto column = static_cast<std::uint8_t>(reference >> 1);
      if (!columns_[column].references.empty()) return false;
      columns_[field].references.push_back({column, (reference & 1) != 0});
    }
  }
  for (std::size_t field = 0; field < fields; ++field) {
    if (!reader.read_bytes(sizes[field], columns_[field].bytes)) return false;
  }
  return reader.at_end();
}

Result<void> ChunkDecoder::read_field(std::size_t field, std::vector<std::int64_t>& out) const {
  if (field >= columns_.size()) return fail(ErrorCode::invalid_argument, "The chunk has no such field.");
  const Column& column = columns_[field];
  out.resize(rows_);
  if (Result<void> read = decode_column(column.bytes, out); !read) return read;
  for (const ColumnReference& reference : column.references) {
    reference_values_.resize(rows_);
    if (Result<void> read = decode_column(columns_[reference.column].bytes, reference_values_); !read)
      return read;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = reference.subtract ? wrapping_subtract(out[i], reference_values_[i])
                                  : wrapping_add(out[i], reference_values_[i]);
    }
  }
  return {};
}

}  // namespace countertop::history
