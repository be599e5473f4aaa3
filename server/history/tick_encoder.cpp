#include <algorithm>
#include <bit>
#include <unordered_set>

#include "server/history/tick_clocks.hpp"
#include "server/history/tick_codec.hpp"

namespace countertop::history {

/// The last record of one object, in the order in which readers have it.
class TickEncoder::ObjectEncoder {
 public:
  explicit ObjectEncoder(std::size_t fields) : fields_(fields) {}

  [[nodiscard]] std::size_t fields() const { return fields_; }
  [[nodiscard]] std::size_t value_count() const { return previous_.size(); }

  /// Appends the body of a record. False when an instance appears twice; then nothing changed.
  [[nodiscard]] bool encode(const TickRecord& record, bool is_new, Bytes& out) {
    const bool same_list = !is_new && std::ranges::equal(record.instances, caller_order_);
    if (same_list) {
      append_varint(out, 0);
    } else {
      if (!has_unique_instances(record)) return false;
      append_varint(out, 1);
      append_edits(record, out);
    }
    append_values(record, out);
    return true;
  }

 private:
  static bool has_unique_instances(const TickRecord& record) {
    std::unordered_set<std::uint32_t> seen;
    seen.reserve(record.instances.size());
    return std::ranges::all_of(record.instances, [&](std::uint32_t id) { return seen.insert(id).second; });
  }

  void append_edits(const TickRecord& record, Bytes& out) {
    std::unordered_map<std::uint32_t, std::size_t> rows;  // instance id -> row of the caller
    rows.reserve(record.instances.size());
    for (std::size_t row = 0; row < record.instances.size(); ++row) rows.emplace(record.instances[row], row);

    append_varint(out, fields_);
    append_removed(rows, out);
    append_varint(out, rows.size());  // those that were not there before
    std::uint32_t last = 0;
    for (std::size_t row = 0; row < record.instances.size(); ++row) {
      const std::uint32_t id = record.instances[row];
      if (!rows.contains(id)) continue;
      append_varint(out, zigzag(std::int64_t{id} - std::int64_t{last}));
      last = id;
      instances_.push_back(id);
      source_rows_.push_back(row);
      previous_.resize(previous_.size() + fields_, 0);
    }
    caller_order_.assign(record.instances.begin(), record.instances.end());
  }

  /// Drops instances that are gone, takes those that stay out of `rows`.
  void append_removed(std::unordered_map<std::uint32_t, std::size_t>& rows, Bytes& out) {
    source_rows_.clear();
    Bytes places;
    std::size_t removed = 0;
    std::size_t kept = 0;
    std::size_t after_last = 0;
    for (std::size_t place = 0; place < instances_.size(); ++place) {
      const auto found = rows.find(instances_[place]);
      if (found == rows.end()) {
        append_varint(places, place - after_last);
        after_last = place + 1;
        ++removed;
        continue;
      }
      source_rows_.push_back(found->second);
      rows.erase(found);
      if (kept != place) {
        instances_[kept] = instances_[place];
        std::copy_n(row_at(place), fields_, row_at(kept));
      }
      ++kept;
    }
    instances_.resize(kept);
    previous_.resize(kept * fields_);
    append_varint(out, removed);
    out.insert(out.end(), places.begin(), places.end());
  }

  void append_values(const TickRecord& record, Bytes& out) {
    rows_.clear();
    std::size_t changed = 0;
    std::size_t skipped = 0;
    for (std::size_t place = 0; place < instances_.size(); ++place) {
      const std::int64_t* now = record.values.data() + source_rows_[place] * fields_;
      std::int64_t* before = &*row_at(place);
      std::uint64_t mask = 0;
      for (std::size_t field = 0; field < fields_; ++field) {
        mask |= static_cast<std::uint64_t>(now[field] != before[field]) << field;
      }
      if (mask == 0) {
        ++skipped;
        continue;
      }
      append_row(now, before, mask, skipped);
      skipped = 0;
      ++changed;
    }
    append_varint(out, changed);
    out.insert(out.end(), rows_.begin(), rows_.end());
  }

  void append_row(const std::int64_t* now, std::int64_t* before, std::uint64_t mask, std::size_t skipped) {
    const std::size_t begin = rows_.size();
    rows_.resize(begin + (2 + fields_) * kMaxVarintBytes);
    std::uint8_t* out = write_varint(rows_.data() + begin, skipped);
    out = write_varint(out, mask);
    for (; mask != 0; mask &= mask - 1) {
      const auto field = static_cast<std::size_t>(std::countr_zero(mask));
      const std::int64_t base = before[field] == kNoValue ? 0 : before[field];
      out = write_varint(out, now[field] == kNoValue ? 0 : zigzag(wrapping_subtract(now[field], base)));
      before[field] = now[field];
    }
    rows_.resize(static_cast<std::size_t>(out - rows_.data()));
  }

  std::vector<std::int64_t>::iterator row_at(std::size_t place) {
    return previous_.begin() + static_cast<std::ptrdiff_t>(place * fields_);
  }

  std::size_t fields_;
  std::vector<std::uint32_t> caller_order_;  // the instance list as it last came
  std::vector<std::uint32_t> instances_;     // in the readers' order
  std::vector<std::size_t> source_rows_;     // for each of instances_: its row in the caller's order
  std::vector<std::int64_t> previous_;       // row-major in the readers' order
  Bytes rows_;
};

TickEncoder::TickEncoder() = default;
TickEncoder::~TickEncoder() = default;
TickEncoder::TickEncoder(TickEncoder&&) noexcept = default;
TickEncoder& TickEncoder::operator=(TickEncoder&&) noexcept = default;

void TickEncoder::begin() {
  is_key_ = key_is_due_ || ticks_since_key_ >= kTicksPerKey;
  if (is_key_) {
    objects_.clear();
    last_time_ = {};
    value_count_ = 0;
    ticks_since_key_ = 0;
    key_is_due_ = false;
  }
  ++ticks_since_key_;
  blob_.assign({kTickCodec, static_cast<std::uint8_t>(is_key_ ? 1 : 0)});
}

Result<void> TickEncoder::add(const TickRecord& record) {
  if (record.fields == 0 || record.fields > kMaxTickFields ||
      record.values.size() != record.instances.size() * record.fields) {
    return fail(ErrorCode::invalid_argument, "A snapshot's values do not fit its instances and fields.");
  }
  auto& object = objects_[record.object];
  const bool is_new = object == nullptr;
  if (is_new) object = std::make_unique<ObjectEncoder>(record.fields);
  const std::size_t others = value_count_ - object->value_count();
  if (objects_.size() > kMaxTickObjects || record.instances.size() > kMaxTickInstances ||
      others + record.values.size() > kMaxTickValues) {
    if (is_new) objects_.erase(record.object);
    return fail(ErrorCode::too_large, "A snapshot has more instances than a tick can hold.");
  }
  if (object->fields() != record.fields) {
    return fail(ErrorCode::invalid_argument,
                "An object's number of fields changed without a new definition.");
  }
  body_.clear();
  if (!object->encode(record, is_new, body_)) {
    if (is_new) objects_.erase(record.object);
    return fail(ErrorCode::invalid_argument, "A snapshot names an instance twice.");
  }
  value_count_ = others + record.values.size();
  append_varint(blob_, record.object);
  append_clocks(last_time_, record.time, blob_);
  last_time_ = record.time;
  append_varint(blob_, body_.size());
  blob_.insert(blob_.end(), body_.begin(), body_.end());
  return {};
}

TickEncoder::Tick TickEncoder::finish() {
  append_check(blob_);
  return {is_key_, blob_};
}

}  // namespace countertop::history
