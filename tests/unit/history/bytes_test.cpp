#include "server/history/bytes.hpp"

#include <catch_amalgamated.hpp>

namespace countertop::history {

TEST_CASE("Integers of every length come back from their bytes", "[parse]") {
  for (unsigned shift = 0; shift < 64; ++shift) {
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
      const std::uint64_t value = (std::uint64_t{1} << shift) + offset;
      Bytes bytes;
      append_varint(bytes, value);
      ByteReader reader(bytes);
      std::uint64_t back = 0;
      REQUIRE(reader.read_varint(back));
      REQUIRE(back == value);
      REQUIRE(reader.at_end());
    }
  }
}

TEST_CASE("Zigzag makes small numbers of both signs small and loses nothing", "[parse]") {
  CHECK(zigzag(0) == 0);
  CHECK(zigzag(-1) == 1);
  CHECK(zigzag(1) == 2);
  for (const std::int64_t value :
       {INT64_MIN, INT64_MIN + 1, INT64_MAX, std::int64_t{-77}, std::int64_t{77}}) {
    CHECK(unzigzag(zigzag(value)) == value);
  }
}

TEST_CASE("An integer that breaks off or has more than 64 bits is refused", "[parse]") {
  std::uint64_t value = 0;
  const Bytes cut{0x80, 0x80};
  CHECK_FALSE(ByteReader(cut).read_varint(value));
  const Bytes eleven(11, 0x80);
  CHECK_FALSE(ByteReader(eleven).read_varint(value));
  const Bytes too_large{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
  CHECK_FALSE(ByteReader(too_large).read_varint(value));
}

TEST_CASE("A reader never gives more bytes than there are", "[parse]") {
  const Bytes bytes{1, 2, 3};
  ByteReader reader(bytes);
  ByteView view;
  CHECK_FALSE(reader.read_bytes(4, view));
  REQUIRE(reader.read_bytes(3, view));
  CHECK(view.size() == 3);
  std::uint8_t byte = 0;
  CHECK_FALSE(reader.read_byte(byte));
  CHECK_FALSE(reader.read_bytes(SIZE_MAX, view));
}

TEST_CASE("A check sum notices every flipped bit and every missing byte", "[parse]") {
  Bytes bytes;
  for (int i = 0; i < 37; ++i) bytes.push_back(static_cast<std::uint8_t>(i * 7));
  const Bytes original = bytes;
  append_check(bytes);
  ByteView intact = bytes;
  REQUIRE(remove_check(intact));
  CHECK(std::equal(intact.begin(), intact.end(), original.begin(), original.end()));
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    Bytes flipped = bytes;
    flipped[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
    ByteView view = flipped;
    REQUIRE_FALSE(remove_check(view));
  }
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ByteView view = ByteView(bytes).first(size);
    REQUIRE_FALSE(remove_check(view));
  }
}

}  // namespace countertop::history
