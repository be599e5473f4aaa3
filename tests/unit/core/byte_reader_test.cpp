#include "collectors/core/byte_reader.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <vector>

namespace countertop {
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

TEST_CASE("Numbers are read little-endian in order", "[bytes]") {
  const auto bytes =
      bytes_of({0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 0, 0, 0, 0x80});
  ByteReader reader(bytes);
  CHECK(reader.u8() == 0x01);
  CHECK(reader.u16() == 0x0302);
  CHECK(reader.u32() == 0x07060504);
  CHECK(reader.i32() == -1);
  CHECK(reader.u64() == 0x8000'0000'0000'0001);
  CHECK(reader.ok());
  CHECK(reader.remaining() == 0);
}

TEST_CASE("A read beyond the end fails, and so does everything after it", "[bytes]") {
  const auto bytes = bytes_of({1, 2, 3});
  ByteReader reader(bytes);
  CHECK(reader.u32() == 0);
  CHECK_FALSE(reader.ok());
  CHECK(reader.u8() == 0);
  CHECK(reader.bytes(1).empty());
  CHECK(reader.remaining() == 0);
  CHECK(ByteReader({}).ok());
}

TEST_CASE("Variable-length numbers have at most 64 bits", "[bytes]") {
  const auto largest =
      bytes_of({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0xAC, 0x02, 0x03, 0x04});
  ByteReader reader(largest);
  CHECK(reader.varint() == std::numeric_limits<std::uint64_t>::max());
  CHECK(reader.varint() == 300);
  CHECK(reader.zigzag() == -2);
  CHECK(reader.zigzag() == 2);
  const auto too_long = bytes_of({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02});
  ByteReader overflow(too_long);
  CHECK(overflow.varint() == 0);
  CHECK_FALSE(overflow.ok());
  const auto cut = bytes_of({0x80});
  ByteReader truncated(cut);
  truncated.varint();
  CHECK_FALSE(truncated.ok());
}

TEST_CASE("Lengths and offsets that do not fit are refused without wrapping", "[bytes]") {
  constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
  const auto bytes = bytes_of({1, 2, 3, 4});
  ByteReader reader(bytes);
  reader.skip(1);
  CHECK(reader.part(1, 2).ok());
  CHECK(reader.part(1, 2).remaining() == 2);
  CHECK_FALSE(reader.part(1, kHuge).ok());
  CHECK_FALSE(reader.part(5, 0).ok());
  reader.seek(4);
  CHECK(reader.ok());
  reader.seek(0);
  CHECK(reader.bytes(kHuge).empty());
  CHECK_FALSE(reader.ok());
  ByteReader other(bytes);
  other.seek(5);
  CHECK_FALSE(other.ok());
}

}  // namespace
}  // namespace countertop
