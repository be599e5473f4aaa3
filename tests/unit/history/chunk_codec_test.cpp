#include "server/history/chunk_codec.hpp"

#include <catch_amalgamated.hpp>

#include "tests/support/csv_corpus.hpp"
#include "tests/unit/history/codec_support.hpp"

namespace countertop::history {
namespace {

using test::Column;

struct Chunk {
  std::vector<PresenceRun> runs;
  std::vector<Column> columns;

  [[nodiscard]] Bytes encode() const {
    const std::vector<std::span<const std::int64_t>> spans(columns.begin(), columns.end());
    ChunkEncoder encoder;
    const Result<ByteView> blob = encoder.encode(runs, spans);
    REQUIRE(blob.has_value());
    return {blob->begin(), blob->end()};
  }
};

Chunk random_chunk(test::Random& random, std::size_t fields, std::uint32_t rows) {
  Chunk chunk;
  const std::uint32_t first = rows / 3;
  chunk.runs = first == 0 ? std::vector<PresenceRun>{{5, rows}}
                          : std::vector<PresenceRun>{{0, first}, {first + 2, rows - first}};
  for (std::size_t field = 0; field < fields; ++field) {
    chunk.columns.push_back(test::random_column(random, static_cast<int>(random() % test::kShapes), rows));
  }
  return chunk;
}

bool reads_everything(ChunkDecoder& decoder, ByteView blob) {
  if (!decoder.open(blob)) return false;
  Column column;
  bool good = true;
  for (std::size_t field = 0; field < decoder.fields(); ++field) {
    good = decoder.read_field(field, column).has_value() && column.size() == decoder.rows() && good;
  }
  return good;
}

}  // namespace

TEST_CASE("Chunks of every size come back with their runs and fields", "[parse]") {
  test::Random random(1);
  ChunkDecoder decoder;
  for (const std::size_t fields : {1, 2, 9, 64}) {
    for (const std::uint32_t rows : {1U, 2U, 5U, 100U, 1200U}) {
      const Chunk chunk = random_chunk(random, fields, rows);
      REQUIRE(decoder.open(chunk.encode()).has_value());
      REQUIRE(decoder.rows() == rows);
      REQUIRE(decoder.fields() == fields);
      REQUIRE(std::ranges::equal(decoder.runs(), chunk.runs));
      Column column;
      for (std::size_t field = fields; field-- > 0;) {
        REQUIRE(decoder.read_field(field, column).has_value());
        REQUIRE(column == chunk.columns[field]);
      }
      CHECK_FALSE(decoder.read_field(fields, column).has_value());
    }
  }
}

TEST_CASE("A field that is the sum of two others costs next to nothing", "[parse]") {
  test::Random random(2);
  Chunk parts;
  parts.runs = {{0, 1000}};
  parts.columns = {test::random_column(random, 4, 1000), test::random_column(random, 4, 1000)};
  Chunk with_sum = parts;
  with_sum.columns.emplace_back();
  for (std::size_t i = 0; i < 1000; ++i) {
    with_sum.columns[2].push_back(parts.columns[0][i] + parts.columns[1][i]);
  }
  CHECK(with_sum.encode().size() < parts.encode().size() + 60);
}

TEST_CASE("Missing values do not spoil the differences of their neighbours", "[parse]") {
  test::Random random(6);
  Chunk chunk;
  chunk.runs = {{0, 1200}};
  chunk.columns = {test::random_column(random, 2, 1200)};
  const std::size_t whole = chunk.encode().size();
  for (std::size_t i = 300; i < 400; ++i) chunk.columns[0][i] = kNoValue;
  chunk.columns[0][1000] = kNoValue;
  CHECK(chunk.encode().size() < whole);
}

TEST_CASE("Missing values in one field leave its relatives exact", "[parse]") {
  test::Random random(3);
  Chunk chunk;
  chunk.runs = {{0, 400}};
  chunk.columns = {test::random_column(random, 2, 400)};
  chunk.columns.push_back(chunk.columns[0]);
  chunk.columns.push_back(chunk.columns[0]);
  for (std::size_t i = 100; i < 120; ++i) chunk.columns[0][i] = chunk.columns[2][i + 50] = kNoValue;
  ChunkDecoder decoder;
  REQUIRE(decoder.open(chunk.encode()).has_value());
  for (std::size_t field = 0; field < 3; ++field) {
    Column column;
    REQUIRE(decoder.read_field(field, column).has_value());
    CHECK(column == chunk.columns[field]);
  }
}

TEST_CASE("Truncated chunks and chunks with a flipped bit are refused", "[parse]") {
  test::Random random(4);
  ChunkDecoder decoder;
  for (const std::uint32_t rows : {1U, 3U, 40U}) {
    const Bytes blob = random_chunk(random, 5, rows).encode();
    test::require_damage_is_refused(blob,
                                    [&](ByteView damaged) { return reads_everything(decoder, damaged); });
  }
}

TEST_CASE("A forged chunk never crashes the decoder", "[parse]") {
  test::Random random(5);
  ChunkDecoder decoder;
  for (int round = 0; round < 20; ++round) {
    const Bytes blob =
        random_chunk(random, 1 + random() % 8, 1 + static_cast<std::uint32_t>(random() % 50)).encode();
    test::require_survives_forgery(random, blob,
                                   [&](ByteView forged) { return reads_everything(decoder, forged); });
  }
}

TEST_CASE("A chunk that claims more than the limits is refused before memory is taken", "[parse]") {
  ChunkDecoder decoder;
  const auto refused = [&](std::uint64_t rows, std::uint64_t fields, std::uint64_t body_size) {
    Bytes blob{kChunkCodec, 1};
    append_varint(blob, rows);
    append_varint(blob, fields);
    append_varint(blob, body_size);
    blob.insert(blob.end(), 20, 0);
    append_check(blob);
    return !decoder.open(blob).has_value();
  };
  CHECK(refused(kMaxChunkRows + 1, 1, 20));
  CHECK(refused(10, kMaxChunkFields + 1, 20));
  CHECK(refused(10, 1, kMaxChunkBodyBytes + 1));
  CHECK(refused(UINT64_MAX, UINT64_MAX, UINT64_MAX));
}

TEST_CASE("The encoder refuses what no decoder would accept", "[parse]") {
  ChunkEncoder encoder;
  const Column one{1};
  const Column two{1, 2};
  const std::vector<std::span<const std::int64_t>> columns{two};
  const std::vector<std::span<const std::int64_t>> short_column{one};
  const std::vector<std::span<const std::int64_t>> too_many(65, two);
  const std::vector<PresenceRun> run{{0, 2}};
  CHECK(encoder.encode(run, columns).has_value());
  CHECK_FALSE(encoder.encode(run, short_column).has_value());
  CHECK_FALSE(encoder.encode(run, too_many).has_value());
  CHECK_FALSE(encoder.encode(run, {}).has_value());
  CHECK_FALSE(encoder.encode({}, columns).has_value());
  const std::vector<PresenceRun> touching{{0, 1}, {1, 1}};
  CHECK_FALSE(encoder.encode(touching, columns).has_value());
  const std::vector<PresenceRun> too_late{{static_cast<std::uint32_t>(kMaxChunkRows), 2}};
  CHECK_FALSE(encoder.encode(too_late, columns).has_value());
}

TEST_CASE("A recorded host costs at most a third of a byte per sample", "[recording]") {
  const std::filesystem::path path =
      std::filesystem::path(COUNTERTOP_SHARED_DIR) / "store/data/host-1s.csv.zst";
  if (!std::filesystem::exists(path)) SKIP("the recording is not here");
  const auto corpus = countertop::test::read_corpus(path);
  REQUIRE(corpus.has_value());
  ChunkEncoder encoder;
  std::size_t bytes = 0;
  for (const auto& object : countertop::test::objects_of(*corpus)) {
    for (const auto& instance : object.instances) {
      std::vector<std::span<const std::int64_t>> columns;
      for (const std::size_t series : instance.series) columns.emplace_back(corpus->series[series].values);
      const PresenceRun run{0, static_cast<std::uint32_t>(corpus->time_ms.size())};
      bytes += encoder.encode(std::span(&run, 1), columns).value().size();
    }
  }
  const double per_sample = static_cast<double>(bytes) / static_cast<double>(corpus->samples());
  CHECK(per_sample < 0.28);
}

}  // namespace countertop::history
