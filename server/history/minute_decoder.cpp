#include <algorithm>

#include "server/history/column_codec.hpp"
#include "server/history/minute_codec.hpp"

namespace countertop::history {
namespace {

tl::unexpected<Error> damaged(const char* what) {
  return fail(ErrorCode::malformed, std::string("Minutes of the history are damaged: ") + what + ".");
}

}  // namespace

Result<void> MinuteDecoder::open(ByteView blob) {
  minutes_.clear();
  groups_.clear();
  group_of_.clear();
  loaded_group_ = kNone;
  ByteReader reader(blob);
  std::uint8_t codec = 0;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t size = 0;
  ByteView directory;
  if (!reader.read_byte(codec) || codec != kMinuteCodec) return damaged("their codec is unknown");
  if (!reader.read_varint_up_to(kMaxMinuteRows, rows) || rows == 0)
    return damaged("their number is out of range");
  if (!reader.read_varint_up_to(kMaxMinuteColumns, columns) || columns == 0) {
    return damaged("their column count is out of range");
  }
  if (!reader.read_varint_up_to(reader.remaining(), size) ||
      !reader.read_bytes(static_cast<std::size_t>(size), directory)) {
    return damaged("their directory breaks off");
  }
  const std::size_t head_size = blob.size() - reader.remaining() + kCheckBytes;
  ByteView head = blob.first(std::min(head_size, blob.size()));
  ByteView check;
  if (!reader.read_bytes(kCheckBytes, check) || !remove_check(head))
    return damaged("their check sum is wrong");
  ByteReader directory_reader(directory);
  ByteReader group_reader(reader.rest());
  if (!read_minutes(directory_reader, static_cast<std::size_t>(rows)) ||
      !read_groups(directory_reader, group_reader, static_cast<std::size_t>(columns))) {
    minutes_.clear();
    groups_.clear();
    group_of_.clear();
    return damaged("their directory is wrong");
  }
  return {};
}

bool MinuteDecoder::read_minutes(ByteReader& reader, std::size_t rows) {
  constexpr auto kWindow = static_cast<std::size_t>(kMinuteWindowMinutes);
  std::uint64_t runs = 0;
  if (!reader.read_varint(runs)) return false;
  std::size_t end = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    std::uint64_t before = 0;
    std::uint64_t count = 0;
    if (!reader.read_varint_up_to(kWindow - end, before)) return false;
    end += static_cast<std::size_t>(before);
    if (!reader.read_varint_up_to(kWindow - end, count) || count == 0) return false;
    for (std::uint64_t i = 0; i < count; ++i) minutes_.push_back(static_cast<std::uint32_t>(end++));
  }
  return minutes_.size() == rows;
}

bool MinuteDecoder::read_groups(ByteReader& directory, ByteReader& groups, std::size_t columns) {
  while (!directory.at_end()) {
    std::uint64_t count = 0;
    std::uint64_t body_size = 0;
    std::uint64_t stored_size = 0;
    if (!directory.read_varint_up_to(columns - group_of_.size(), count) || count == 0) return false;
    if (!directory.read_varint_up_to(kMaxMinuteGroupBytes, body_size)) return false;
    if (!directory.read_varint_up_to(groups.remaining(), stored_size)) return false;
    Group group{group_of_.size(),
                static_cast<std::size_t>(count),
                static_cast<std::size_t>(body_size),
                {},
                stored_size != 0};
    const std::uint64_t size = (group.compressed ? stored_size : body_size) + kCheckBytes;
    if (!groups.read_bytes(static_cast<std::size_t>(size), group.stored)) return false;
    group_of_.resize(group_of_.size() + group.columns, static_cast<std::uint16_t>(groups_.size()));
    groups_.push_back(group);
  }
  return group_of_.size() == columns && groups.at_end();
}

Result<void> MinuteDecoder::load_group(std::size_t index) {
  loaded_group_ = kNone;
  const Group& group = groups_[index];
  ByteView body = group.stored;
  if (!remove_check(body)) return damaged("the check sum of a group is wrong");
  if (group.compressed) {
    body_.resize(group.body_size);
    if (Result<void> read = decompressor_.read(body, body_); !read) return read;
    body = body_;
  }
  ByteReader reader(body);
  loaded_.clear();
  std::vector<std::uint64_t> sizes(group.columns);
  for (std::uint64_t& size : sizes) {
    if (!reader.read_varint_up_to(reader.remaining(), size)) return damaged("a group breaks off");
  }
  for (const std::uint64_t size : sizes) {
    ByteView column;
    if (!reader.read_bytes(static_cast<std::size_t>(size), column)) return damaged("a group breaks off");
    loaded_.push_back(column);
  }
  if (!reader.at_end()) return damaged("a group is too long");
  loaded_group_ = index;
  return {};
}

Result<void> MinuteDecoder::read_column(std::size_t column, std::vector<std::int64_t>& out) {
  if (column >= group_of_.size())
    return fail(ErrorCode::invalid_argument, "The minutes have no such column.");
  const std::size_t group = group_of_[column];
  if (group != loaded_group_) {
    if (Result<void> loaded = load_group(group); !loaded) return loaded;
  }
  out.resize(minutes_.size());
  return decode_column(loaded_[column - groups_[group].first_column], out);
}

}  // namespace countertop::history
