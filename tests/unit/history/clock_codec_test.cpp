#include "server/history/clock_codec.hpp"

#include <catch_amalgamated.hpp>

#include "tests/unit/history/codec_support.hpp"

namespace countertop::history {
namespace {

/// A Linux object read once a second with a few milliseconds of jitter.
std::vector<TimeBase> regular_times(test::Random& random, std::size_t rows) {
  std::vector<TimeBase> times;
  const std::int64_t boot_ms = 1'767'000'000'000;
  for (std::size_t i = 0; i < rows; ++i) {
    TimeBase time;
    time.perf_time = 98'765'000 + 10'000 * static_cast<std::int64_t>(i) + test::between(random, 0, 40);
    time.wall_ms = boot_ms + time.perf_time / 10 + test::between(random, 0, 1);
    times.push_back(time);
  }
  return times;
}

std::vector<TimeBase> wild_times(test::Random& random, std::size_t rows) {
  std::vector<TimeBase> times(rows);
  for (TimeBase& time : times) {
    time.wall_ms = test::between(random, INT64_MIN, INT64_MAX);
    time.perf_time = test::between(random, INT64_MIN, INT64_MAX);
    time.perf_frequency = random() % 3 == 0 ? test::between(random, INT64_MIN, INT64_MAX) : 10'000'000;
    time.time_100ns = test::between(random, 0, INT64_MAX);
    time.object_time = test::between(random, 0, 5);
    time.object_frequency = random() % 2 == 0 ? 0 : kNoValue;
  }
  return times;
}

Bytes encoded(const std::vector<TimeBase>& times, const ClockReference* reference = nullptr) {
  ClockEncoder encoder;
  const Result<ByteView> blob = encoder.encode(times, reference);
  REQUIRE(blob.has_value());
  return {blob->begin(), blob->end()};
}

}  // namespace

TEST_CASE("Times of every kind come back exactly", "[parse]") {
  test::Random random(1);
  ClockDecoder decoder;
  std::vector<TimeBase> back;
  for (const std::size_t rows : {1, 2, 3, 50, 1200}) {
    for (const auto& times : {regular_times(random, rows), wild_times(random, rows)}) {
      const Bytes blob = encoded(times);
      CHECK(clock_reference(blob).value() == std::nullopt);
      REQUIRE(decoder.decode(blob, {}, back).has_value());
      REQUIRE(back == times);
    }
  }
}

TEST_CASE("A second's time costs little more than its jitter", "[parse]") {
  test::Random random(2);
  CHECK(encoded(regular_times(random, 1200)).size() < 1200 * 3 / 2);
}

TEST_CASE("Objects read in the same moment share their times", "[parse]") {
  test::Random random(3);
  const std::vector<TimeBase> first = regular_times(random, 1200);
  const ClockReference reference{77, first};
  const Bytes same = encoded(first, &reference);
  CHECK(same.size() < 60);
  CHECK(clock_reference(same).value() == 77U);

  std::vector<TimeBase> later = first;  // read a tenth of a millisecond later, now and then two
  for (TimeBase& time : later) time.perf_time += random() % 8 == 0 ? 2 : 1;
  const Bytes near_reference = encoded(later, &reference);
  CHECK(near_reference.size() < encoded(later).size() / 2);
  ClockDecoder decoder;
  std::vector<TimeBase> back;
  REQUIRE(decoder.decode(near_reference, first, back).has_value());
  CHECK(back == later);
  CHECK_FALSE(decoder.decode(near_reference, std::span(first).first(1199), back).has_value());
  CHECK_FALSE(decoder.decode(near_reference, {}, back).has_value());
}

TEST_CASE("A reference of another length is not used", "[parse]") {
  test::Random random(4);
  const std::vector<TimeBase> first = regular_times(random, 1200);
  const ClockReference reference{77, std::span(first).first(1199)};
  CHECK(clock_reference(encoded(first, &reference)).value() == std::nullopt);
}

TEST_CASE("Truncated times and times with a flipped bit are refused", "[parse]") {
  test::Random random(5);
  ClockDecoder decoder;
  std::vector<TimeBase> back;
  const std::vector<TimeBase> times = wild_times(random, 4);
  const ClockReference reference{3, times};
  const auto decode = [&](ByteView damaged) {
    const auto needs = clock_reference(damaged);
    return needs &&
           decoder.decode(damaged, *needs ? std::span<const TimeBase>(times) : std::span<const TimeBase>(),
                          back);
  };
  test::require_damage_is_refused(encoded(times), decode);
  test::require_damage_is_refused(encoded(regular_times(random, 30)), decode);
  test::require_damage_is_refused(encoded(times, &reference), decode);
  test::require_survives_forgery(random, encoded(times), decode);
  test::require_survives_forgery(random, encoded(regular_times(random, 30)), decode);
  test::require_survives_forgery(random, encoded(times, &reference), decode);
}

TEST_CASE("Too many or no times at all are refused", "[parse]") {
  ClockEncoder encoder;
  CHECK_FALSE(encoder.encode({}).has_value());
  const std::vector<TimeBase> many(kMaxChunkRows + 1);
  CHECK_FALSE(encoder.encode(many).has_value());
}

}  // namespace countertop::history
