#include "server/history/tick_codec.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <map>

#include "tests/unit/history/codec_support.hpp"

namespace countertop::history {
namespace {

/// One object's snapshot, owned.
struct Snap {
  std::uint32_t object = 0;
  TimeBase time;
  std::size_t fields = 0;
  std::vector<std::uint32_t> instances;
  std::vector<std::int64_t> values;

  [[nodiscard]] TickRecord record() const { return {object, time, fields, instances, values}; }
};

using Rows = std::map<std::uint32_t, std::vector<std::int64_t>>;

Rows rows_of(const TickRecord& record) {
  Rows rows;
  for (std::size_t i = 0; i < record.instances.size(); ++i) {
    const auto row = record.values.subspan(i * record.fields, record.fields);
    rows.emplace(record.instances[i], std::vector<std::int64_t>(row.begin(), row.end()));
  }
  return rows;
}

/// A machine whose processes come and go, are read in a new order now and then, and have unreadable fields.
class Machine {
 public:
  explicit Machine(std::uint64_t seed) : random_(seed) {}

  std::vector<Snap> next() {
    ++second_;
    std::vector<Snap> snaps;
    snaps.push_back(snapshot(1, 12, cpus_));
    if (random_() % 3 == 0) come_and_go();
    if (random_() % 5 == 0) std::ranges::shuffle(processes_, random_);
    snaps.push_back(snapshot(900, 5, processes_));
    if (second_ % 10 == 0) snaps.push_back(snapshot(7, 64, {70}));
    if (random_() % 7 == 0) snaps.push_back(snapshot(900, 5, processes_));  // late: the same object once more
    return snaps;
  }

 private:
  void come_and_go() {
    for (auto births = test::between(random_, 0, 3); births > 0; --births) processes_.push_back(next_id_++);
    for (auto deaths = test::between(random_, 0, 3); deaths > 0 && !processes_.empty(); --deaths) {
      processes_.erase(processes_.begin() + static_cast<std::ptrdiff_t>(random_() % processes_.size()));
    }
  }

  Snap snapshot(std::uint32_t object, std::size_t fields, const std::vector<std::uint32_t>& instances) {
    Snap snap{object, {}, fields, instances, {}};
    snap.time.perf_time = second_ * 10'000 + test::between(random_, 0, 50);
    snap.time.wall_ms = 1'767'225'600'000 + second_ * 1000 + test::between(random_, 0, 5);
    for (const std::uint32_t id : instances) {
      auto& row = rows_[{object, id}];
      row.resize(fields, 1'000'000);
      for (std::int64_t& value : row) change(value);
      snap.values.insert(snap.values.end(), row.begin(), row.end());
    }
    return snap;
  }

  void change(std::int64_t& value) {
    const auto dice = random_() % 40;
    if (dice < 10 && value != kNoValue) value = wrapping_add(value, test::between(random_, -3, 300));
    if (dice == 10) value = kNoValue;
    if (dice == 11) value = 0;
    if (dice == 12) value = test::between(random_, INT64_MIN, INT64_MAX);
  }

  test::Random random_;
  std::int64_t second_ = 0;
  std::uint32_t next_id_ = 100;
  std::vector<std::uint32_t> cpus_{10, 11, 12};
  std::vector<std::uint32_t> processes_{50, 51, 4'000'000'000};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::int64_t>> rows_;
};

struct Tick {
  bool is_key = false;
  Bytes blob;
  std::vector<Snap> snaps;
};

Tick encode(TickEncoder& encoder, std::vector<Snap> snaps) {
  encoder.begin();
  for (const Snap& snap : snaps) REQUIRE(encoder.add(snap.record()).has_value());
  const TickEncoder::Tick tick = encoder.finish();
  return {tick.is_key, Bytes(tick.bytes.begin(), tick.bytes.end()), std::move(snaps)};
}

std::vector<Tick> record(std::uint64_t seed, int seconds) {
  Machine machine(seed);
  TickEncoder encoder;
  std::vector<Tick> ticks;
  for (int i = 0; i < seconds; ++i) ticks.push_back(encode(encoder, machine.next()));
  return ticks;
}

void require_same(const Tick& tick, TickDecoder& decoder, std::uint32_t only_object = 0) {
  std::vector<Snap> expected = tick.snaps;
  if (only_object != 0) std::erase_if(expected, [&](const Snap& snap) { return snap.object != only_object; });
  std::size_t next = 0;
  REQUIRE(decoder.replay(tick.blob, [&](const TickRecord& got) {
    REQUIRE(next < expected.size());
    REQUIRE(got.object == expected[next].object);
    REQUIRE(got.time == expected[next].time);
    REQUIRE(got.fields == expected[next].fields);
    REQUIRE(rows_of(got) == rows_of(expected[next].record()));
    ++next;
  }));
  REQUIRE(next == expected.size());
}

}  // namespace

TEST_CASE("A replay gives every snapshot of every second exactly", "[parse]") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    TickDecoder decoder;
    for (const Tick& tick : record(seed, 200)) require_same(tick, decoder);
  }
}

TEST_CASE("A replay can start at any key tick, and nowhere else", "[parse]") {
  const std::vector<Tick> ticks = record(6, 190);
  std::size_t keys = 0;
  for (std::size_t start = 0; start < ticks.size(); ++start) {
    TickDecoder decoder;
    CHECK(is_key_tick(ticks[start].blob) == ticks[start].is_key);
    if (!ticks[start].is_key) {
      REQUIRE_FALSE(decoder.replay(ticks[start].blob, [](const TickRecord&) {}).has_value());
      continue;
    }
    ++keys;
    for (std::size_t i = start; i < ticks.size(); ++i) require_same(ticks[i], decoder);
  }
  CHECK(keys == 4);  // one in sixty
}

TEST_CASE("Only the objects asked for are decoded", "[parse]") {
  const std::vector<Tick> ticks = record(7, 130);
  for (const std::uint32_t object : {1U, 7U, 900U}) {
    TickDecoder decoder;
    decoder.want(std::span(&object, 1));
    for (const Tick& tick : ticks) require_same(tick, decoder, object);
  }
}

TEST_CASE("A restarted encoder needs nothing of what was written before", "[parse]") {
  Machine machine(8);
  TickEncoder encoder;
  for (int i = 0; i < 10; ++i) (void)encode(encoder, machine.next());
  encoder.restart();
  const Tick tick = encode(encoder, machine.next());
  CHECK(tick.is_key);
  TickDecoder decoder;
  require_same(tick, decoder);
}

TEST_CASE("A second in which nothing changes costs a few bytes", "[parse]") {
  Snap snap{3, {}, 20, {}, {}};
  for (std::uint32_t id = 0; id < 300; ++id) snap.instances.push_back(id);
  snap.values.assign(300 * 20, 123'456'789);
  TickEncoder encoder;
  (void)encode(encoder, {snap});
  snap.time.perf_time += 10'000;
  snap.time.wall_ms += 1000;
  CHECK(encode(encoder, {snap}).blob.size() < 24);
  snap.values[5] += 60;
  CHECK(encode(encoder, {snap}).blob.size() < 24);
}

TEST_CASE("Fields that cannot be read cost a byte at most", "[parse]") {
  Snap snap{3, {}, 20, {1, 2, 3}, std::vector<std::int64_t>(60, kNoValue)};
  TickEncoder encoder;
  CHECK(encode(encoder, {snap}).blob.size() < 60 + 40);
}

TEST_CASE("Truncated ticks and ticks with a flipped bit are refused, and a key tick mends the replay",
          "[parse]") {
  const std::vector<Tick> ticks = record(9, 3);
  const auto ignore = [](const TickRecord&) {};
  for (std::size_t damaged_tick = 0; damaged_tick < ticks.size(); ++damaged_tick) {
    test::require_damage_is_refused(ticks[damaged_tick].blob, [&](ByteView damaged) {
      TickDecoder decoder;
      for (std::size_t i = 0; i < damaged_tick; ++i)
        REQUIRE(decoder.replay(ticks[i].blob, ignore).has_value());
      const bool accepted = decoder.replay(damaged, ignore).has_value();
      if (!accepted) {
        REQUIRE_FALSE(decoder.replay(ticks[1].blob, ignore).has_value());
        REQUIRE(decoder.replay(ticks[0].blob, ignore).has_value());
      }
      return accepted;
    });
  }
}

TEST_CASE("A forged tick never crashes the decoder", "[parse]") {
  test::Random random(10);
  for (std::uint64_t seed = 20; seed < 40; ++seed) {
    const std::vector<Tick> ticks = record(seed, 6);
    for (const Tick& tick : ticks) {
      test::require_survives_forgery(random, tick.blob, [&](ByteView forged) {
        TickDecoder decoder;
        std::size_t values = 0;
        const auto count = [&](const TickRecord& got) { values += got.values.size(); };
        (void)decoder.replay(ticks[0].blob, count);
        const bool first = decoder.replay(forged, count).has_value();
        return decoder.replay(forged, count).has_value() && first;
      });
    }
  }
}

TEST_CASE("Snapshots that do not fit are refused and leave the tick as it was", "[parse]") {
  const Snap good{5, {}, 2, {1, 2}, {1, 2, 3, 4}};
  TickEncoder encoder;
  encoder.begin();
  REQUIRE(encoder.add(good.record()).has_value());
  Snap twice = good;
  twice.instances = {1, 1};
  CHECK_FALSE(encoder.add(twice.record()).has_value());
  Snap ragged = good;
  ragged.values.pop_back();
  CHECK_FALSE(encoder.add(ragged.record()).has_value());
  Snap other_width{5, {}, 1, {1, 2}, {1, 2}};
  CHECK_FALSE(encoder.add(other_width.record()).has_value());
  Snap too_wide{6, {}, 65, {1}, std::vector<std::int64_t>(65)};
  CHECK_FALSE(encoder.add(too_wide.record()).has_value());
  const TickEncoder::Tick tick = encoder.finish();
  TickDecoder decoder;
  std::size_t records = 0;
  REQUIRE(decoder.replay(tick.bytes, [&](const TickRecord& got) {
    ++records;
    CHECK(rows_of(got) == rows_of(good.record()));
  }));
  CHECK(records == 1);
}

}  // namespace countertop::history
