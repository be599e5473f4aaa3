// The 6,010 raw values of a Windows 8 machine, cooked by the product's arithmetic to what they must give.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "collectors/core/cook.hpp"

namespace countertop::perflib {
namespace {

struct Range {
  double low = 1e300, high = -1e300;
  std::size_t values = 0, absent = 0;

  void add(const Cooked& cooked) {
    if (!cooked.has_value()) {
      ++absent;
      return;
    }
    ++values;
    low = std::min(low, cooked.value);
    high = std::max(high, cooked.value);
  }
};

struct Sample {
  std::vector<std::int64_t> values;
  TimeBase time;
};

/// FirstValue and SecondValue as PDH keeps them: the value, and its base or its time.
Sample sample_of(CounterType type, std::int64_t first, std::int64_t second, std::int64_t filetime) {
  Sample sample{{first, second}, {}};
  sample.time.perf_frequency = 10'000'000;
  sample.time.perf_time = filetime;
  sample.time.time_100ns = type == CounterType::average_bulk ? filetime : second;
  return sample;
}

ObjectDefinition object_of(CounterType type) {
  ObjectDefinition object;
  object.name = "recorded";
  object.fields = {{"first", Backward::reset}, {"second", Backward::reset}};
  CounterDefinition counter{"value", "", "", type, {{0}}, {}};
  if (find_description(type)->has_base) counter.base = {{1}};
  object.counters = {counter};
  return object;
}

TEST_CASE("recorded raw values cook to the ranges that the machine had") {
  const std::filesystem::path file =
      std::filesystem::path(COUNTERTOP_SHARED_DIR) / "windows/data/perf/tx_BasicPerfCounters.raw.csv";
  std::ifstream csv(file);
  if (!csv) SKIP("no recorded data at " + file.string());
  std::map<std::string, Sample> previous;
  std::map<std::string, Range> ranges;
  std::size_t rows = 0;
  std::string line;
  std::getline(csv, line);
  while (std::getline(csv, line)) {
    if (line.ends_with('\r')) line.pop_back();
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    REQUIRE(cells.size() == 10);
    const auto type = CounterType{static_cast<std::uint32_t>(std::stoul(cells[3], nullptr, 16))};
    const ObjectDefinition object = object_of(type);
    REQUIRE(why_invalid(object).empty());
    Sample sample = sample_of(type, std::stoll(cells[7]), std::stoll(cells[8]), std::stoll(cells[6]));
    const std::string series = cells[2].substr(cells[2].rfind('\\') + 1) + ":" + cells[4];
    const auto before = previous.find(series);
    if (before != previous.end()) {
      const RawSample older{before->second.values, before->second.time};
      ranges[series].add(cook(object, object.counters.front(), &older, {sample.values, sample.time}));
    }
    previous[series] = std::move(sample);
    ++rows;
  }
  CHECK(rows == 6010);
  REQUIRE(ranges.size() == 10);
  for (const auto& [series, range] : ranges) {
    CAPTURE(series, range.low, range.high, range.values, range.absent);
    CHECK(range.values + range.absent == 600);
    if (series.starts_with("% Processor Time")) {
      CHECK(range.absent == 0);
      CHECK(range.low >= 0);
      CHECK(range.high <= 100);
    }
  }
  const Range total = ranges["% Processor Time:_Total"];
  CHECK(total.low >= 0);
  CHECK(total.high > 30);
  CHECK(total.high < 81.5);
  const Range queue = ranges["Avg. Disk Queue Length:"];
  CHECK(queue.low > 0.002);
  CHECK(queue.high < 4.1);
  const Range written = ranges["Avg. Disk Bytes/Write:"];
  CHECK(written.low >= 4096);
  CHECK(written.high < 42204);
}

}  // namespace
}  // namespace countertop::perflib
