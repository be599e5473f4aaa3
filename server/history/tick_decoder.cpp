#include <algorithm>
#include <bit>

#include "server/history/tick_clocks.hpp"
#include "server/history/tick_codec.hpp"

namespace countertop::history {
namespace {

tl::unexpected<Error> damaged(const char* what) {
  return fail(ErrorCode::malformed, std::string("A tick of the history is damaged: ") + what + ".");
}

/// Reads the codec byte and the flags.
[[nodiscard]] bool read_head(ByteReader& reader, bool& is_key) {
  std::uint8_t codec = 0;
  std::uint8_t flags = 0;
  if (!reader.read_byte(codec) || codec != kTickCodec || !reader.read_byte(flags) || flags > 1) return false;
  is_key = flags == 1;
  return true;
}

[[nodiscard]] bool read_row(ByteReader& shared_reader, std::size_t fields, std::int64_t* row) {
  ByteReader reader = shared_reader;  // a copy can live in registers
  std::uint64_t mask = 0;
  if (!reader.read_varint(mask) || (fields < 64 && mask >> fields != 0)) return false;
  for (; mask != 0; mask &= mask - 1) {
    std::int64_t& value = row[std::countr_zero(mask)];
    std::uint64_t change = 0;
    if (!reader.read_varint(change)) return false;
    if (value == kNoValue) {
      value = unzigzag(change);
    } else {
      value = change == 0 ? kNoValue : wrapping_add(value, unzigzag(change));
    }
  }
  shared_reader = reader;
  return true;
}

}  // namespace

bool is_key_tick(ByteView blob) {
  ByteReader reader(blob);
  bool is_key = false;
  return remove_check(blob) && read_head(reader, is_key) && is_key;
}

void TickDecoder::want(std::span<const std::uint32_t> objects) {
  wanted_.assign(objects.begin(), objects.end());
  std::ranges::sort(wanted_);
}

bool TickDecoder::is_wanted(std::uint32_t object) const {
  return wanted_.empty() || std::ranges::binary_search(wanted_, object);
}

Result<void> TickDecoder::replay(ByteView blob, const Visitor& visit) {
  const bool is_intact = remove_check(blob);
  ByteReader reader(blob);
  bool is_key = false;
  if (!is_intact || !read_head(reader, is_key)) {
    has_key_ = false;
    return damaged("its check sum or its head is wrong");
  }
  if (is_key) {
    objects_.clear();
    last_time_ = {};
    value_count_ = 0;
    has_key_ = true;
  }
  if (!has_key_) return damaged("it needs a key tick before it");
  if (!read_records(reader, visit)) {
    has_key_ = false;
    return damaged("a record breaks off or does not fit the one before");
  }
  return {};
}

bool TickDecoder::read_records(ByteReader& reader, const Visitor& visit) {
  while (!reader.at_end()) {
    std::uint64_t object = 0;
    std::uint64_t size = 0;
    ByteView body;
    if (!reader.read_varint_up_to(UINT32_MAX, object) || !read_clocks(reader, last_time_) ||
        !reader.read_varint_up_to(reader.remaining(), size) ||
        !reader.read_bytes(static_cast<std::size_t>(size), body)) {
      return false;
    }
    const auto id = static_cast<std::uint32_t>(object);
    if (!is_wanted(id)) continue;
    ObjectState& state = objects_[id];
    if (objects_.size() > kMaxTickObjects) return false;
    ByteReader body_reader(body);
    if (!read_body(body_reader, state)) return false;
    visit({id, last_time_, state.fields, state.instances, state.values});
  }
  return true;
}

bool TickDecoder::read_body(ByteReader& reader, ObjectState& state) {
  std::uint64_t layout = 0;
  if (!reader.read_varint_up_to(1, layout)) return false;
  if (layout == 1 && !read_edits(reader, state)) return false;
  if (state.fields == 0) return false;
  std::uint64_t changed = 0;
  if (!reader.read_varint_up_to(state.instances.size(), changed)) return false;
  std::size_t place = 0;
  for (std::uint64_t i = 0; i < changed; ++i) {
    std::uint64_t skipped = 0;
    if (!reader.read_varint_up_to(state.instances.size() - place, skipped)) return false;
    place += static_cast<std::size_t>(skipped);
    if (place == state.instances.size()) return false;
    if (!read_row(reader, state.fields, state.values.data() + place * state.fields)) return false;
    ++place;
  }
  return reader.at_end();
}

bool TickDecoder::read_edits(ByteReader& reader, ObjectState& state) {
  std::uint64_t fields = 0;
  if (!reader.read_varint_up_to(kMaxTickFields, fields) || fields == 0) return false;
  if (state.fields != 0 && state.fields != fields) return false;
  state.fields = static_cast<std::size_t>(fields);
  if (!remove_instances(reader, state)) return false;

  std::uint64_t added = 0;  // each takes a byte at least, so the bytes at hand bound what is allocated
  if (!reader.read_varint_up_to(reader.remaining(), added)) return false;
  const std::size_t count = state.instances.size() + static_cast<std::size_t>(added);
  const std::size_t new_values = static_cast<std::size_t>(added) * state.fields;
  if (count > kMaxTickInstances || value_count_ + new_values > kMaxTickValues) return false;
  std::int64_t last = 0;
  for (std::uint64_t i = 0; i < added; ++i) {
    std::uint64_t difference = 0;
    if (!reader.read_varint(difference)) return false;
    last = wrapping_add(last, unzigzag(difference));
    if (last < 0 || last > std::int64_t{UINT32_MAX}) return false;
    state.instances.push_back(static_cast<std::uint32_t>(last));
  }
  state.values.resize(count * state.fields, 0);
  value_count_ += new_values;
  return true;
}

bool TickDecoder::remove_instances(ByteReader& reader, ObjectState& state) {
  std::uint64_t removed = 0;
  if (!reader.read_varint_up_to(state.instances.size(), removed)) return false;
  if (removed == 0) return true;
  const auto row = [&](std::size_t place) {
    return state.values.begin() + static_cast<std::ptrdiff_t>(place * state.fields);
  };
  std::size_t kept = 0;
  std::size_t place = 0;
  const auto keep_until = [&](std::size_t end) {
    for (; place < end; ++place, ++kept) {
      state.instances[kept] = state.instances[place];
      std::copy_n(row(place), state.fields, row(kept));
    }
  };
  for (std::uint64_t i = 0; i < removed; ++i) {
    std::uint64_t gap = 0;
    if (!reader.read_varint_up_to(state.instances.size() - place, gap)) return false;
    const std::size_t gone = place + static_cast<std::size_t>(gap);
    if (gone >= state.instances.size()) return false;
    if (kept == place) kept = place = gone;  // nothing has moved yet
    keep_until(gone);
    ++place;
  }
  keep_until(state.instances.size());
  state.instances.resize(kept);
  state.values.resize(kept * state.fields);
  value_count_ -= static_cast<std::size_t>(removed) * state.fields;
  return true;
}

}  // namespace countertop::history
