// Exports: everything, once, in order, in short transactions.
#include <catch_amalgamated.hpp>
#include <cmath>

#include "tests/support/history_world.hpp"

namespace countertop::test {
namespace {

class CollectingSink : public history::ExportSink {
 public:
  bool begin(std::span<const query::SeriesAnswer> series) override {
    for (const query::SeriesAnswer& one : series) paths.push_back(one.path);
    return true;
  }
  bool row(std::int64_t time_ms, std::span<const double> row_values) override {
    times.push_back(time_ms);
    values.emplace_back(row_values.begin(), row_values.end());
    if (on_row) on_row();
    return times.size() < stop_after;
  }
  bool gap(const query::Gap& one) override {
    gaps.push_back(one);
    return true;
  }

  std::vector<std::string> paths;
  std::vector<std::int64_t> times;
  std::vector<std::vector<double>> values;
  std::vector<query::Gap> gaps;
  std::size_t stop_after = std::numeric_limits<std::size_t>::max();
  std::function<void()> on_row;
};

TEST_CASE("An export gives the rows of a query, over sealed and unsealed windows", "[history]") {
  Recording recording;
  recording.run(2500);
  recording.reopen(true);
  recording.run(1500);
  recording.maintain();
  const auto request =
      raw_request({"disk(*)/*", "process(nginx)/cpu"}, kNoonMs, recording.machine.wall_ms() + 1000);
  const auto answer = recording.query(request);
  CollectingSink sink;
  const auto rows = recording.reader().export_rows(request, sink);
  REQUIRE(rows);
  CHECK(*rows == answer.time_ms.size());
  CHECK(sink.times == answer.time_ms);
  REQUIRE(sink.paths.size() == answer.series.size());
  for (std::size_t row = 0; row < sink.times.size(); ++row)
    for (std::size_t i = 0; i < sink.paths.size(); ++i) {
      const double one = answer.series[i].columns[0][row];
      const double other = sink.values[row][i];
      if (!(one == other || (std::isnan(one) && std::isnan(other)))) FAIL(sink.paths[i] << " row " << row);
    }
  REQUIRE(sink.gaps.size() == 1);
  CHECK(sink.gaps[0].reason == "Countertop was not running");
}

TEST_CASE("An export of everything since 1970 does not walk through empty windows", "[history]") {
  Recording recording;
  recording.run(10);
  CollectingSink sink;
  const auto rows =
      recording.reader().export_rows(raw_request({"disk(vda)/queue"}, 0, kNoonMs + 9'000'000'000), sink);
  REQUIRE(rows);
  CHECK(*rows == 10);
}

TEST_CASE("A sink that is gone ends the export", "[history]") {
  Recording recording;
  recording.run(1500);
  CollectingSink sink;
  sink.stop_after = 5;
  const auto rows =
      recording.reader().export_rows(raw_request({"disk(vda)/queue"}, kNoonMs, kNoonMs + 9'000'000), sink);
  REQUIRE_FALSE(rows);
  CHECK(rows.error().code == ErrorCode::cancelled);
  CHECK(sink.times.size() == 5);
}

TEST_CASE("A slow export does not make the WAL grow", "[history][T-S02]") {
  Recording recording;
  recording.keeps_all = false;
  for (int i = 0; i < 200; ++i) recording.machine.start_process("worker:" + std::to_string(1000 + i) + "@1");
  recording.run(2500);
  recording.maintain();
  CollectingSink sink;
  std::uintmax_t largest = 0;
  std::size_t rows = 0;
  sink.on_row = [&] {
    if (++rows % 5 != 0) return;
    recording.run(10);  // ten seconds pass for every five rows
    recording.maintain();
    std::error_code missing;
    const auto size = std::filesystem::file_size(recording.directory.database().string() + "-wal", missing);
    if (!missing) largest = std::max(largest, size);
  };
  auto reader = history::HistoryReader::open(recording.directory.path());
  REQUIRE(reader);
  const auto exported =
      (*reader)->export_rows(raw_request({"disk(vda)/queue"}, kNoonMs, kNoonMs + 2'500'000), sink);
  REQUIRE(exported);
  CHECK(*exported >= 2490);
  INFO("largest WAL: " << largest);
  CHECK(largest < 17'000'000);
}

}  // namespace
}  // namespace countertop::test
