#include "server/query/gaps.hpp"

#include <catch2/catch_test_macros.hpp>

namespace countertop::query {
namespace {

constexpr TimeRange kRange{0, 100'000};

/// A sample each second of the ranges.
std::vector<std::int64_t> samples(std::initializer_list<TimeRange> ranges) {
  std::vector<std::int64_t> times;
  for (const TimeRange range : ranges) {
    for (std::int64_t time = range.from_ms; time < range.to_ms; time += 1000)
      times.push_back(time + time % 7);
  }
  return times;
}

Gap only_gap(std::span<const std::int64_t> times, std::span<const Mark> marks) {
  const auto gaps = find_gaps(times, kRange, 1000, marks);
  REQUIRE(gaps.size() == 1);
  return gaps.front();
}

TEST_CASE("Samples in step have no gap, one that is missing is jitter", "[gaps]") {
  auto times = samples({kRange});
  CHECK(find_gaps(times, kRange, 1000, {}).empty());
  times.erase(times.begin() + 40);
  CHECK(find_gaps(times, kRange, 1000, {}).empty());
  times.erase(times.begin() + 40);
  CHECK(find_gaps(times, kRange, 1000, {}).size() == 1);
}

TEST_CASE("A gap reaches from the first missing sample to the next sample", "[gaps]") {
  const auto times = samples({{0, 30'000}, {50'000, 100'000}});
  const Gap gap = only_gap(times, {});
  CHECK(gap.range == TimeRange{times[29] + 1000, times[30]});
  CHECK(gap.reason == "no sample was taken, and no mark says why");
}

TEST_CASE("Missing data at both ends and everywhere is a gap too", "[gaps]") {
  const auto gaps = find_gaps(samples({{20'000, 80'000}}), kRange, 1000, {});
  REQUIRE(gaps.size() == 2);
  CHECK(gaps[0].range.from_ms == 0);
  CHECK(gaps[1].range.to_ms == 100'000);
  CHECK(only_gap({}, {}).range == kRange);
  CHECK(find_gaps({}, {0, 2'000}, 1000, {}).empty());  // too short to miss anything
}

TEST_CASE("Marks give the reason: sleep, stop, crash, full disk, failure", "[gaps]") {
  const auto times = samples({{0, 30'000}, {50'000, 100'000}});
  const auto reason = [&](std::vector<Mark> marks) { return only_gap(times, marks).reason; };
  CHECK(reason({{29'000, MarkKind::suspend, "", 50'000}}) == "the computer was asleep");
  CHECK(reason({{29'500, MarkKind::stop, "", 0}, {49'500, MarkKind::start, "", 0}}) ==
        "Countertop was not running");
  CHECK(reason({{29'000, MarkKind::crash, "", 49'900}, {49'900, MarkKind::start, "", 0}}) ==
        "Countertop ended without notice: it was killed, or the power failed");
  CHECK(reason({{29'900, MarkKind::disk_full, "", 0}, {50'100, MarkKind::disk_back, "", 0}}) ==
        "the disk was full, nothing could be stored");
  CHECK(reason({{30'000, MarkKind::collector_failed, "the collector 'cpu' gives no data: x", 0},
                {50'000, MarkKind::collector_back, "", 0}}) == "the collector 'cpu' gives no data: x");
  CHECK(reason({{29'000, MarkKind::late, "", 50'000}}) == "the computer was too busy to take samples");
  // What stopped the machine explains more than what it brought along.
  CHECK(reason({{29'000, MarkKind::late, "", 50'000}, {29'000, MarkKind::suspend, "", 50'000}}) ==
        "the computer was asleep");
  // Notes of people and events elsewhere explain nothing.
  CHECK(reason({{40'000, MarkKind::note, "lunch", 0}, {90'000, MarkKind::suspend, "", 95'000}}) ==
        "no sample was taken, and no mark says why");
}

TEST_CASE("A mark before the range explains a gap that fills it", "[gaps]") {
  const std::vector<Mark> stopped{{-500'000, MarkKind::stop, "", 0}, {200'000, MarkKind::start, "", 0}};
  CHECK(only_gap({}, stopped).reason == "Countertop was not running");
  const std::vector<Mark> over{{-500'000, MarkKind::stop, "", 0}, {-400'000, MarkKind::start, "", 0}};
  CHECK(only_gap({}, over).reason == "no sample was taken, and no mark says why");
  const std::vector<Mark> failing{{-500'000, MarkKind::collector_failed, "disk is broken", 0}};
  CHECK(only_gap({}, failing).reason == "disk is broken");
}

TEST_CASE("A wall clock that was put back makes no gap out of order", "[gaps]") {
  auto times = samples({{0, 60'000}});
  const auto again = samples({{40'000, 100'000}});
  times.insert(times.end(), again.begin(), again.end());
  CHECK(find_gaps(times, kRange, 1000, {}).empty());
}

}  // namespace
}  // namespace countertop::query
