#include "server/history/clock_codec.hpp"

#include <algorithm>
#include <array>

#include "server/history/column_codec.hpp"

namespace countertop::history {
namespace {

constexpr std::uint8_t kCompressed = 1;
constexpr std::uint8_t kHasReference = 2;
constexpr std::size_t kMaxBodyBytes = 6 * (8 * kMaxChunkRows + 64);

using Member = std::int64_t TimeBase::*;
// In the order of writing: those that predict the others come first.
constexpr std::array<Member, 6> kMembers{&TimeBase::perf_frequency, &TimeBase::perf_time,
                                         &TimeBase::wall_ms,        &TimeBase::time_100ns,
                                         &TimeBase::object_time,    &TimeBase::object_frequency};

tl::unexpected<Error> damaged(const char* what) {
  return fail(ErrorCode::malformed, std::string("The times of a window are damaged: ") + what + ".");
}

/// The performance clock in other units: what the wall clock and the 100 ns clock run along with. Any 64-bit
/// numbers are fine: it need not be right, only the same when written and when read.
std::int64_t performance_clock_in(const TimeBase& time, std::uint64_t units_per_second) {
  if (time.perf_frequency <= 0 || time.perf_frequency > std::int64_t{1} << 40 || time.perf_time < 0) return 0;
  const auto ticks = static_cast<std::uint64_t>(time.perf_time);
  const auto frequency = static_cast<std::uint64_t>(time.perf_frequency);
  return static_cast<std::int64_t>(ticks / frequency * units_per_second +
                                   ticks % frequency * units_per_second / frequency);
}

/// What a member is expected to be, from members that come before it in kMembers.
std::int64_t prediction(const TimeBase& time, Member member) {
  if (member == &TimeBase::wall_ms) return performance_clock_in(time, 1'000);
  if (member == &TimeBase::time_100ns) return performance_clock_in(time, 10'000'000);
  return 0;
}

struct ClockHeader {
  std::uint8_t flags = 0;
  std::uint32_t reference = 0;
  std::size_t rows = 0;
  std::size_t body_size = 0;
};

[[nodiscard]] bool read_header(ByteReader& reader, ClockHeader& header) {
  std::uint8_t codec = 0;
  std::uint64_t value = 0;
  if (!reader.read_byte(codec) || codec != kClockCodec) return false;
  if (!reader.read_byte(header.flags) || header.flags > (kCompressed | kHasReference)) return false;
  if ((header.flags & kHasReference) != 0) {
    if (!reader.read_varint_up_to(UINT32_MAX, value)) return false;
    header.reference = static_cast<std::uint32_t>(value);
  }
  if (!reader.read_varint_up_to(kMaxChunkRows, value) || value == 0) return false;
  header.rows = static_cast<std::size_t>(value);
  if (!reader.read_varint_up_to(kMaxBodyBytes, value)) return false;
  header.body_size = static_cast<std::size_t>(value);
  return true;
}

}  // namespace

void ClockEncoder::write_body(std::span<const TimeBase> times, std::span<const TimeBase> reference,
                              Bytes& out) {
  out.clear();
  Bytes predicted;
  Bytes direct;
  column_.resize(times.size());
  for (const Member member : kMembers) {
    // Each column is tried with and without its prediction; the first byte says which it was.
    predicted.clear();
    direct.clear();
    for (std::size_t i = 0; i < times.size(); ++i) {
      column_[i] =
          reference.empty() ? times[i].*member : wrapping_subtract(times[i].*member, reference[i].*member);
    }
    const std::uint64_t direct_cost = encode_column(column_, direct);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const std::int64_t expected = reference.empty() ? prediction(times[i], member)
                                                      : wrapping_subtract(prediction(times[i], member),
                                                                          prediction(reference[i], member));
      column_[i] = wrapping_subtract(column_[i], expected);
    }
    const bool predict = encode_column(column_, predicted) < direct_cost;
    const Bytes& better = predict ? predicted : direct;
    append_varint(out, better.size() << 1 | (predict ? 1 : 0));
    out.insert(out.end(), better.begin(), better.end());
  }
}

Result<ByteView> ClockEncoder::encode(std::span<const TimeBase> times, const ClockReference* reference) {
  if (times.empty()) return fail(ErrorCode::invalid_argument, "A window without times cannot be stored.");
  if (times.size() > kMaxChunkRows) return fail(ErrorCode::too_large, "A window has too many rows.");
  const auto assemble = [&](std::span<const TimeBase> base, Bytes& out) {
    write_body(times, base, body_);
    out.assign({kClockCodec, base.empty() ? std::uint8_t{0} : kHasReference});
    if (!base.empty()) append_varint(out, reference->instance);
    append_varint(out, times.size());
    append_varint(out, body_.size());
    if (compressor_.append_if_smaller(body_, out)) {
      out[1] |= kCompressed;
    } else {
      out.insert(out.end(), body_.begin(), body_.end());
    }
    append_check(out);
  };
  assemble({}, blob_);
  if (reference != nullptr && reference->times.size() == times.size()) {
    assemble(reference->times, other_blob_);
    // Reading a referring chunk costs reading another one: only for a real gain.
    if (other_blob_.size() < blob_.size() - blob_.size() / 8) std::swap(blob_, other_blob_);
  }
  return ByteView(blob_);
}

Result<std::optional<std::uint32_t>> clock_reference(ByteView blob) {
  if (!remove_check(blob)) return damaged("their check sum is wrong");
  ByteReader reader(blob);
  ClockHeader header;
  if (!read_header(reader, header)) return damaged("their head is unknown");
  if ((header.flags & kHasReference) == 0) return std::nullopt;
  return header.reference;
}

Result<void> ClockDecoder::decode(ByteView blob, std::span<const TimeBase> reference,
                                  std::vector<TimeBase>& times) {
  times.clear();
  if (!remove_check(blob)) return damaged("their check sum is wrong");
  ByteReader head(blob);
  ClockHeader header;
  if (!read_header(head, header)) return damaged("their head is unknown");
  const bool refers = (header.flags & kHasReference) != 0;
  if (refers && reference.size() != header.rows) return damaged("they do not fit the times they refer to");
  if ((header.flags & kCompressed) != 0) {
    body_.resize(header.body_size);
    if (Result<void> read = decompressor_.read(head.rest(), body_); !read) return read;
  } else {
    if (head.remaining() != header.body_size) return damaged("their size is wrong");
    body_.assign(head.rest().begin(), head.rest().end());
  }
  if (refers)
    times.assign(reference.begin(), reference.end());
  else
    times.assign(header.rows, {});
  column_.resize(header.rows);
  ByteReader reader(body_);
  for (const Member member : kMembers) {
    std::uint64_t entry = 0;
    ByteView bytes;
    if (!reader.read_varint(entry) || !reader.read_bytes(static_cast<std::size_t>(entry >> 1), bytes)) {
      times.clear();
      return damaged("a column breaks off");
    }
    const bool predict = (entry & 1) != 0;
    if (!predict && is_all_zero(bytes)) continue;  // as in the reference, or a clock that is not there
    if (Result<void> read = decode_column(bytes, column_); !read) {
      times.clear();
      return read;
    }
    for (std::size_t i = 0; i < times.size(); ++i) {
      std::int64_t value = column_[i];
      if (predict) value = wrapping_add(value, prediction(times[i], member));
      if (refers && predict) value = wrapping_subtract(value, prediction(reference[i], member));
      if (refers) value = wrapping_add(value, reference[i].*member);
      times[i].*member = value;
    }
  }
  if (reader.at_end()) return {};
  times.clear();
  return damaged("there is more than six columns");
}

}  // namespace countertop::history
