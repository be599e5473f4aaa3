#include "server/history/sealed_rows.hpp"

#include <optional>
#include <utility>

#include "server/history/layout.hpp"

namespace countertop::history {

Result<SealedRows> SealedRows::open(Database& database) {
  auto find = database.prepare("SELECT v FROM chunk WHERE id=?1");
  if (!find) return tl::unexpected<Error>(find.error());
  return SealedRows(std::move(*find));
}

Result<const std::vector<TimeBase>*> SealedRows::clock(const SealedPart& part, std::uint32_t instance,
                                                       bool may_refer) {
  if (const auto found = clocks_.find(instance); found != clocks_.end()) return &found->second;
  find_.bind(1, pack_id(part.window, part.part, instance));
  const auto row = find_.step();
  if (!row) return tl::unexpected<Error>(row.error());
  if (!*row) return &clocks_[instance];
  const ByteView stored = find_.blob(0);
  const Bytes blob(stored.begin(), stored.end());  // the statement is used again for the reference
  find_.reset();
  const auto reference = clock_reference(blob);
  if (!reference) return tl::unexpected<Error>(reference.error());
  std::span<const TimeBase> reference_times;
  if (reference->has_value()) {
    if (!may_refer) return fail(ErrorCode::malformed, "a clock chunk refers to one that refers on");
    const auto other = clock(part, **reference, false);
    if (!other) return other;
    reference_times = **other;
  }
  std::vector<TimeBase> times;
  if (const auto decoded = clock_decoder_.decode(blob, reference_times, times); !decoded)
    return tl::unexpected<Error>(decoded.error());
  return &(clocks_[instance] = std::move(times));
}

Result<const std::vector<TimeBase>*> SealedRows::times(const SealedPart& part,
                                                       const std::vector<std::uint32_t>& clocks) {
  static const std::vector<TimeBase> kNoTimes;
  if (const std::int64_t key = pack_id(part.window, part.part, 0); key != current_) {
    clocks_.clear();
    current_ = key;
  }
  for (const std::uint32_t instance : clocks) {
    const auto found = clock(part, instance, true);
    if (!found || !(*found)->empty()) return found;
  }
  return &kNoTimes;
}

Result<bool> SealedRows::read(const SealedPart& part, std::uint32_t instance, std::size_t fields_of_object,
                              std::span<const std::uint16_t> wanted, std::size_t rows_in_clock,
                              InstanceRows& rows) {
  find_.bind(1, pack_id(part.window, part.part, instance));
  const auto row = find_.step();
  if (!row) return tl::unexpected<Error>(row.error());
  if (!*row) return false;
  const auto opened = decoder_.open(find_.blob(0));
  find_.reset();
  if (!opened) return tl::unexpected<Error>(opened.error());
  if (decoder_.fields() != fields_of_object)
    return fail(ErrorCode::malformed, "a chunk has another number of fields than its object");
  rows.runs.assign(decoder_.runs().begin(), decoder_.runs().end());
  if (!rows.runs.empty() && std::size_t{rows.runs.back().first_row} + rows.runs.back().count > rows_in_clock)
    return fail(ErrorCode::malformed, "a chunk has rows that its clock does not have");
  rows.columns.resize(fields_of_object);
  for (const std::uint16_t field : wanted) {
    if (const auto read = decoder_.read_field(field, rows.columns[field]); !read)
      return tl::unexpected<Error>(read.error());
  }
  return true;
}

}  // namespace countertop::history
