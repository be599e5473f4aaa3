#include <algorithm>

#include "server/history/column_codec.hpp"
#include "server/history/column_format.hpp"

namespace countertop::history {
namespace {

tl::unexpected<Error> damaged(const char* what) {
  return fail(ErrorCode::malformed, std::string("A column of the history is damaged: ") + what + ".");
}

std::int64_t wrapping_multiply(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

struct Header {
  std::uint8_t transform = kConstant;
  bool is_unsigned = false;
  std::int64_t divisor = 1;
  std::int64_t base = 0;
  std::int64_t step = 0;
};

[[nodiscard]] bool read_signed(ByteReader& reader, std::int64_t& value) {
  std::uint64_t raw = 0;
  if (!reader.read_varint(raw)) return false;
  value = unzigzag(raw);
  return true;
}

[[nodiscard]] bool read_header(ByteReader& reader, std::uint8_t tag, Header& header) {
  header.transform = tag & kTransformMask;
  header.is_unsigned = (tag & kUnsigned) != 0;
  if (header.transform > kNearLine || (tag & kUnusedTagBits) != 0) return false;
  if ((tag & kHasDivisor) != 0) {
    std::uint64_t divisor = 0;
    if (!reader.read_varint(divisor)) return false;
    header.divisor = static_cast<std::int64_t>(divisor);
  }
  if (!read_signed(reader, header.base)) return false;
  const bool has_step = header.transform == kLine || header.transform == kNearLine;
  return !has_step || read_signed(reader, header.step);
}

/// Unzigzags and multiplies in place what the planes gave.
void finish_residuals(const Header& header, std::span<std::int64_t> out) {
  if (!header.is_unsigned) {
    for (std::int64_t& value : out) value = unzigzag(static_cast<std::uint64_t>(value));
  }
  if (header.divisor != 1 && header.transform != kDeltaDelta) {
    for (std::int64_t& value : out) value = wrapping_multiply(value, header.divisor);
  }
}

[[nodiscard]] bool read_planes(ByteReader& reader, std::span<std::int64_t> out) {
  std::uint8_t planes = 0;
  if (!reader.read_byte(planes) || planes > 8) return false;
  ByteView bytes;
  if (!reader.read_bytes(planes * out.size(), bytes)) return false;
  std::ranges::fill(out, 0);
  for (unsigned plane = 0; plane < planes; ++plane) {
    const ByteView row = bytes.subspan(plane * out.size(), out.size());
    const unsigned shift = 8 * plane;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(out[i]) |
                                         static_cast<std::uint64_t>(row[i]) << shift);
    }
  }
  return true;
}

void fill_line(const Header& header, std::span<std::int64_t> out) {
  std::int64_t value = header.base;
  for (std::int64_t& cell : out) {
    cell = value;
    value = wrapping_add(value, header.step);
  }
}

void add_up(std::int64_t base, std::span<std::int64_t> out) {
  for (std::int64_t& value : out) value = base = wrapping_add(base, value);
}

void add_up_twice(const Header& header, std::span<std::int64_t> out) {
  std::int64_t value = header.base;
  std::int64_t delta = 0;
  for (std::int64_t& cell : out) {
    delta = wrapping_add(delta, cell);
    value = wrapping_add(value, wrapping_multiply(delta, header.divisor));
    cell = value;
  }
}

[[nodiscard]] bool read_present(ByteReader& reader, std::uint8_t tag, std::span<std::int64_t> out) {
  Header header;
  if (!read_header(reader, tag, header)) return false;
  if (header.transform == kConstant) std::ranges::fill(out, header.base);
  if (header.transform == kLine) fill_line(header, out);
  if (header.transform == kConstant || header.transform == kLine) return reader.at_end();

  // All but kPlain say the first value in the header.
  const std::span<std::int64_t> residuals = header.transform == kPlain ? out : out.subspan(1);
  if (!read_planes(reader, residuals) || !reader.at_end()) return false;
  finish_residuals(header, residuals);
  if (header.transform != kPlain) out[0] = header.base;
  if (header.transform == kPlain) {
    for (std::int64_t& value : residuals) value = wrapping_add(value, header.base);
  } else if (header.transform == kDelta) {
    add_up(header.base, residuals);
  } else if (header.transform == kDeltaDelta) {
    add_up_twice(header, residuals);
  } else {
    std::int64_t line = header.base;
    for (std::int64_t& value : residuals) {
      line = wrapping_add(line, header.step);
      value = wrapping_add(value, line);
    }
  }
  return true;
}

struct Gap {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The gaps lie inside `rows` and leave at least one row.
[[nodiscard]] bool read_gaps(ByteReader& reader, std::size_t rows, std::vector<Gap>& gaps,
                             std::size_t& missing) {
  std::uint64_t run_count = 0;
  if (!reader.read_varint_up_to(reader.remaining() / 2, run_count)) return false;
  gaps.reserve(static_cast<std::size_t>(run_count));
  std::size_t end = 0;
  for (std::uint64_t run = 0; run < run_count; ++run) {
    std::uint64_t before = 0;
    std::uint64_t count = 0;
    if (!reader.read_varint_up_to(rows - end, before)) return false;
    const std::size_t first = end + static_cast<std::size_t>(before);
    if (!reader.read_varint_up_to(rows - first, count)) return false;
    gaps.push_back({first, static_cast<std::size_t>(count)});
    end = first + static_cast<std::size_t>(count);
    missing += static_cast<std::size_t>(count);
  }
  return missing < rows;
}

/// Moves the present rows, which fill the front, to their places; from the end, so that none is overwritten.
void spread(std::span<const Gap> gaps, std::size_t present, std::span<std::int64_t> out) {
  std::size_t write = out.size();
  for (std::size_t gap = gaps.size(); gap-- > 0;) {
    const std::size_t end = gaps[gap].first + gaps[gap].count;
    while (write > end) out[--write] = out[--present];
    while (write > gaps[gap].first) out[--write] = kNoValue;
  }
}

}  // namespace

bool is_all_zero(ByteView bytes) { return bytes.size() == 2 && bytes[0] == kConstant && bytes[1] == 0; }

Result<void> decode_column(ByteView bytes, std::span<std::int64_t> out) {
  if (out.empty()) return bytes.empty() ? Result<void>{} : damaged("it has bytes and no rows");
  ByteReader reader(bytes);
  std::uint8_t tag = 0;
  if (!reader.read_byte(tag)) return damaged("it is empty");
  if ((tag & kHasGaps) == 0) {
    if (!read_present(reader, tag, out)) return damaged("its values do not fit its rows");
    return {};
  }
  std::vector<Gap> gaps;
  std::size_t missing = 0;
  if (!read_gaps(reader, out.size(), gaps, missing)) return damaged("its gaps do not fit its rows");
  const std::size_t present = out.size() - missing;
  if (!read_present(reader, tag, out.first(present))) return damaged("its values do not fit its rows");
  spread(gaps, present, out);
  return {};
}

}  // namespace countertop::history
