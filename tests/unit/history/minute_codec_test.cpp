#include "server/history/minute_codec.hpp"

#include <catch_amalgamated.hpp>
#include <numeric>

#include "tests/unit/history/codec_support.hpp"

namespace countertop::history {
namespace {

using test::Column;

struct Minutes {
  std::vector<std::uint32_t> minutes;
  std::vector<Column> columns;
  std::vector<std::size_t> groups;

  [[nodiscard]] Result<Bytes> encode() const {
    const std::vector<std::span<const std::int64_t>> spans(columns.begin(), columns.end());
    MinuteEncoder encoder;
    const Result<ByteView> blob = encoder.encode(minutes, spans, groups);
    if (!blob) return tl::unexpected(blob.error());
    return Bytes(blob->begin(), blob->end());
  }
};

Minutes random_minutes(test::Random& random, std::size_t columns, std::size_t rows) {
  Minutes result;
  std::uint32_t minute = static_cast<std::uint32_t>(random() % 5);
  for (std::size_t i = 0; i < rows; ++i) {
    result.minutes.push_back(minute);
    minute += random() % 20 == 0 ? 3 : 1;
  }
  for (std::size_t column = 0; column < columns; ++column) {
    result.columns.push_back(test::random_column(random, static_cast<int>(random() % test::kShapes), rows));
  }
  for (std::size_t left = columns; left > 0; left -= result.groups.back()) {
    result.groups.push_back(std::min<std::size_t>(left, 1 + random() % 4));
  }
  return result;
}

bool reads_everything(MinuteDecoder& decoder, ByteView blob) {
  if (!decoder.open(blob)) return false;
  Column column;
  bool good = true;
  for (std::size_t i = 0; i < decoder.columns(); ++i) {
    good = decoder.read_column(i, column).has_value() && column.size() == decoder.rows() && good;
  }
  return good;
}

}  // namespace

TEST_CASE("Minutes with gaps come back with all their columns, in any order of reading", "[parse]") {
  test::Random random(1);
  MinuteDecoder decoder;
  for (const std::size_t columns : {1, 2, 7, 40}) {
    for (const std::size_t rows : {1, 2, 60, 900}) {
      const Minutes minutes = random_minutes(random, columns, rows);
      const Bytes blob = minutes.encode().value();
      REQUIRE(decoder.open(blob).has_value());
      REQUIRE(decoder.columns() == columns);
      REQUIRE(std::ranges::equal(decoder.minutes(), minutes.minutes));
      std::vector<std::size_t> order(columns);
      std::iota(order.begin(), order.end(), 0);
      std::ranges::shuffle(order, random);
      Column column;
      for (const std::size_t i : order) {
        REQUIRE(decoder.read_column(i, column).has_value());
        REQUIRE(column == minutes.columns[i]);
      }
      CHECK_FALSE(decoder.read_column(columns, column).has_value());
    }
  }
}

TEST_CASE("Damage in one group leaves the other groups readable", "[parse]") {
  test::Random random(2);
  Minutes minutes = random_minutes(random, 3, 200);
  for (Column& column : minutes.columns) column = test::random_column(random, 4, 200);
  minutes.groups = {1, 1, 1};
  Bytes blob = minutes.encode().value();
  blob[blob.size() - 10] ^= 0xff;  // in the last group
  MinuteDecoder decoder;
  REQUIRE(decoder.open(blob).has_value());
  Column column;
  REQUIRE(decoder.read_column(0, column).has_value());
  CHECK(column == minutes.columns[0]);
  CHECK_FALSE(decoder.read_column(2, column).has_value());
  REQUIRE(decoder.read_column(1, column).has_value());
  CHECK(column == minutes.columns[1]);
}

TEST_CASE("Truncated minutes and minutes with a flipped bit are refused", "[parse]") {
  test::Random random(3);
  MinuteDecoder decoder;
  for (const std::size_t rows : {1, 3, 50}) {
    const Bytes blob = random_minutes(random, 4, rows).encode().value();
    test::require_damage_is_refused(blob,
                                    [&](ByteView damaged) { return reads_everything(decoder, damaged); });
  }
}

TEST_CASE("Forged minutes never crash the decoder", "[parse]") {
  test::Random random(4);
  MinuteDecoder decoder;
  for (int round = 0; round < 20; ++round) {
    const Minutes minutes = random_minutes(random, 1 + random() % 6, 1 + random() % 30);
    const Bytes blob = minutes.encode().value();
    test::require_survives_forgery(random, blob,
                                   [&](ByteView forged) { return reads_everything(decoder, forged); });
    // Forge the directory, whose own check sum stands before the groups.
    const std::size_t head = 4 + blob[3] + kCheckBytes;
    if (head > blob.size() || blob[1] > 127) continue;
    test::require_survives_forgery(random, ByteView(blob).first(head), [&](ByteView forged) {
      Bytes whole(forged.begin(), forged.end());
      whole.insert(whole.end(), blob.begin() + static_cast<std::ptrdiff_t>(head), blob.end());
      return reads_everything(decoder, whole);
    });
  }
}

TEST_CASE("Minutes outside of the window, unsorted or without fitting groups cannot be written", "[parse]") {
  test::Random random(5);
  Minutes good = random_minutes(random, 2, 10);
  REQUIRE(good.encode().has_value());
  Minutes late = good;
  late.minutes.back() = static_cast<std::uint32_t>(kMinuteWindowMinutes);
  CHECK_FALSE(late.encode().has_value());
  Minutes twice = good;
  twice.minutes[5] = twice.minutes[4];
  CHECK_FALSE(twice.encode().has_value());
  Minutes ragged = good;
  ragged.columns[1].pop_back();
  CHECK_FALSE(ragged.encode().has_value());
  Minutes uncovered = good;
  uncovered.groups = {1};
  CHECK_FALSE(uncovered.encode().has_value());
  Minutes empty = good;
  empty.minutes.clear();
  CHECK_FALSE(empty.encode().has_value());
}

}  // namespace countertop::history
