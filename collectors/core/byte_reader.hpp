// Reads little-endian binary formats with every bound checked: performance data blocks, trace buffers,
// packets.
//
// Failure is sticky: after a read beyond the end (or a malformed varint) every read gives zero or an empty
// span and ok() stays false, so that a parser reads a whole structure and checks once. No read ever touches
// memory outside the span.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace countertop {

class ByteReader {
 public:
  /// Borrows the bytes.
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::size_t position() const { return at_; }
  [[nodiscard]] std::size_t remaining() const { return ok_ ? bytes_.size() - at_ : 0; }

  std::uint8_t u8() { return static_cast<std::uint8_t>(fixed(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(fixed(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(fixed(4)); }
  std::uint64_t u64() { return fixed(8); }
  std::int32_t i32() { return static_cast<std::int32_t>(u32()); }
  std::int64_t i64() { return static_cast<std::int64_t>(u64()); }

  /// LEB128: seven bits a byte, low ones first. More than 64 bits is a failure.
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t byte = u8();
      if (!ok_ || (shift == 63 && byte > 1)) return fail();
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    return fail();
  }

  /// A varint whose lowest bit is the sign: 0, -1, 1, -2, ...
  std::int64_t zigzag() {
    const std::uint64_t value = varint();
    return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
  }

  /// The next `count` bytes.
  std::span<const std::byte> bytes(std::size_t count) {
    if (count > remaining()) {
      fail();
      return {};
    }
    const auto result = bytes_.subspan(at_, count);
    at_ += count;
    return result;
  }

  void skip(std::size_t count) { static_cast<void>(bytes(count)); }

  /// Goes to an offset from the beginning, forward or back; the end itself is allowed.
  void seek(std::size_t position) {
    if (!ok_ || position > bytes_.size()) {
      fail();
      return;
    }
    at_ = position;
  }

  /// A reader of `count` bytes from `position` on, which fails by itself when they are not all there: for
  /// structures that give the offset and length of their parts.
  [[nodiscard]] ByteReader part(std::size_t position, std::size_t count) const {
    ByteReader result({});
    if (!ok_ || position > bytes_.size() || count > bytes_.size() - position) {
      result.ok_ = false;
    } else {
      result.bytes_ = bytes_.subspan(position, count);
    }
    return result;
  }

 private:
  std::uint64_t fail() {
    ok_ = false;
    return 0;
  }

  std::uint64_t fixed(std::size_t size) {
    if (size > remaining()) return fail();
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
      value |= std::to_integer<std::uint64_t>(bytes_[at_ + i]) << (8 * i);
    at_ += size;
    return value;
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace countertop
