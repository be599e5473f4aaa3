// Bytes of the codecs: variable-length integers (LEB128), zigzag, and a reader that checks every bound.
//
// Everything read here comes out of a file that somebody may have edited, so no read ever trusts a length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collectors/core/object.hpp"  // kNoValue

namespace countertop::history {

using ByteView = std::span<const std::uint8_t>;
using Bytes = std::vector<std::uint8_t>;

/// Small numbers of both signs become small unsigned numbers: 0, -1, 1, -2 -> 0, 1, 2, 3.
[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
[[nodiscard]] constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

/// Differences wrap modulo 2^64, so that any two 64-bit values have one.
[[nodiscard]] constexpr std::int64_t wrapping_subtract(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
[[nodiscard]] constexpr std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

inline constexpr std::size_t kMaxVarintBytes = 10;

/// Writes at most kMaxVarintBytes to `out`; returns the end.
inline std::uint8_t* write_varint(std::uint8_t* out, std::uint64_t value) {
  while (value >= 0x80) {
    *out++ = static_cast<std::uint8_t>(value | 0x80);
    value >>= 7;
  }
  *out++ = static_cast<std::uint8_t>(value);
  return out;
}

void append_varint(Bytes& out, std::uint64_t value);

inline constexpr std::size_t kCheckBytes = 4;

/// Appends a check sum of out[begin, end).
void append_check(Bytes& out, std::size_t begin = 0);

/// Takes the check sum off the end of `bytes`; false when it is missing or wrong: some bit has flipped.
[[nodiscard]] bool remove_check(ByteView& bytes);

/// A cursor over borrowed bytes. Every read says whether it stayed inside.
class ByteReader {
 public:
  explicit ByteReader(ByteView bytes) : next_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  [[nodiscard]] std::size_t remaining() const { return static_cast<std::size_t>(end_ - next_); }
  [[nodiscard]] bool at_end() const { return next_ == end_; }

  [[nodiscard]] bool read_byte(std::uint8_t& value) {
    if (next_ == end_) return false;
    value = *next_++;
    return true;
  }

  /// False at the end of the bytes and for an integer of more than 64 bits.
  [[nodiscard]] bool read_varint(std::uint64_t& value) {
    if (next_ != end_ && *next_ < 0x80) {
      value = *next_++;
      return true;
    }
    if (end_ - next_ >= 2 && next_[1] < 0x80) {
      value = (next_[0] & 0x7fU) | static_cast<std::uint64_t>(next_[1]) << 7;
      next_ += 2;
      return true;
    }
    return read_long_varint(value);
  }

  /// As read_varint, and false for a value above `limit`.
  [[nodiscard]] bool read_varint_up_to(std::uint64_t limit, std::uint64_t& value) {
    return read_varint(value) && value <= limit;
  }

  [[nodiscard]] bool read_bytes(std::size_t count, ByteView& bytes) {
    if (count > remaining()) return false;
    bytes = ByteView(next_, count);
    next_ += count;
    return true;
  }

  [[nodiscard]] ByteView rest() const { return {next_, remaining()}; }

 private:
  [[nodiscard]] bool read_long_varint(std::uint64_t& value);

  const std::uint8_t* next_;
  const std::uint8_t* end_;
};

}  // namespace countertop::history
