#include "server/history/column_codec.hpp"

#include <catch_amalgamated.hpp>

#include "tests/unit/history/codec_support.hpp"

namespace countertop::history {
namespace {

using test::Column;

Bytes encoded(const Column& column) {
  Bytes bytes;
  encode_column(column, bytes);
  return bytes;
}

}  // namespace

TEST_CASE("Columns of every shape and length come back unchanged", "[parse]") {
  test::Random random(1);
  for (int shape = 0; shape < test::kShapes; ++shape) {
    for (const std::size_t rows : {1, 2, 3, 4, 7, 8, 60, 255, 1200}) {
      for (int round = 0; round < 8; ++round) {
        const Column column = test::random_column(random, shape, rows);
        const Bytes bytes = encoded(column);
        Column back(rows, 1234);
        CAPTURE(shape, rows);
        REQUIRE(decode_column(bytes, back).has_value());
        REQUIRE(back == column);
      }
    }
  }
}

TEST_CASE("Constant columns and straight lines take a few bytes at any length", "[parse]") {
  CHECK(encoded(Column(1200, 0)).size() == 2);
  CHECK(encoded(Column(1200, kNoValue)).size() <= 11);
  Column line(1200);
  for (std::size_t i = 0; i < line.size(); ++i) line[i] = 1000 + 100 * static_cast<std::int64_t>(i);
  CHECK(encoded(line).size() == 5);
}

TEST_CASE("Counters that grow in multiples of a number do not pay for its bits", "[parse]") {
  test::Random random(3);
  Column column(600);
  std::int64_t level = 0;
  for (std::int64_t& value : column) value = level += 4096 * test::between(random, 0, 200);
  CHECK(encoded(column).size() < 600 + 16);  // one byte for each row
}

TEST_CASE("A damaged column is refused or gives its rows, and never reads beyond its bytes", "[parse]") {
  test::Random random(4);
  for (int shape = 0; shape < test::kShapes; ++shape) {
    const Bytes bytes = encoded(test::random_column(random, shape, 50));
    Column out(50);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      REQUIRE_FALSE(decode_column(cut, out).has_value());
    }
    Bytes longer = bytes;
    longer.push_back(0);
    REQUIRE_FALSE(decode_column(longer, out).has_value());
    for (std::size_t i = 0; i < bytes.size() * 8; ++i) {
      Bytes flipped = bytes;
      flipped[i / 8] ^= static_cast<std::uint8_t>(1U << (i % 8));
      (void)decode_column(flipped, out);
    }
  }
}

TEST_CASE("A column does not fit another number of rows", "[parse]") {
  test::Random random(5);
  const Bytes bytes = encoded(test::random_column(random, 2, 50));
  Column out(49);
  CHECK_FALSE(decode_column(bytes, out).has_value());
  out.resize(51);
  CHECK_FALSE(decode_column(bytes, out).has_value());
  CHECK_FALSE(decode_column(bytes, {}).has_value());
}

}  // namespace countertop::history
