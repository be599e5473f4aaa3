// What was recorded comes back: from unsealed ticks, from chunks, from the minute and hour tiers.
#include <catch_amalgamated.hpp>
#include <cmath>

#include "tests/support/history_world.hpp"

namespace countertop::test {
namespace {

using query::Tier;

/// Rows of a raw answer's series, absent values left out.
std::map<std::int64_t, double> rows_of(const query::Answer& answer, const std::string& path) {
  std::map<std::int64_t, double> rows;
  for (const query::SeriesAnswer& series : answer.series) {
    if (series.path != path) continue;
    for (std::size_t i = 0; i < answer.time_ms.size(); ++i)
      if (!std::isnan(series.columns[0][i])) rows[answer.time_ms[i]] = series.columns[0][i];
  }
  return rows;
}

void check_equal(const std::map<std::int64_t, double>& actual,
                 const std::map<std::int64_t, double>& expected) {
  REQUIRE(actual.size() == expected.size());
  for (const auto& [time, value] : expected) {
    REQUIRE(actual.contains(time));
    CHECK(actual.at(time) == Catch::Approx(value).epsilon(1e-12).margin(1e-12));
  }
}

void check_all_series(Recording& recording) {
  const auto request =
      raw_request({"disk(*)/*", "process(*)/*"}, kNoonMs, recording.machine.wall_ms() + 60'000);
  const query::Answer answer = recording.query(request);
  for (const char* instance : {"vda", "vdb"})
    for (const char* counter : {"reads/s", "queue", "busy", "ticks per read"})
      check_equal(rows_of(answer, std::string("disk(") + instance + ")/" + counter),
                  cooked(recording.all, "disk", instance, counter));
  for (const char* instance : {"init:1@100", "nginx:10@200", "long:20@300"})
    for (const char* counter : {"cpu", "resident bytes"})
      check_equal(rows_of(answer, std::string("process(") + instance + ")/" + counter),
                  cooked(recording.all, "process", instance, counter));
}

TEST_CASE("Unsealed ticks answer with exactly what cook makes of the snapshots", "[history]") {
  Recording recording;
  recording.run(100);
  recording.machine.start_process("long:20@300");
  recording.run(150);
  check_all_series(recording);
}

TEST_CASE("Sealing changes no value, also across the edges of windows", "[history]") {
  Recording recording;
  recording.run(100);
  recording.machine.start_process("long:20@300");
  recording.run(1200 * 3);  // windows end in the middle of it
  recording.maintain();
  check_all_series(recording);
  const auto status = recording.maintenance->status();
  CHECK(status.oldest_raw_ms.has_value());
  // The first row of a range needs the row before it, which may lie in the window before.
  const std::int64_t edge = kNoonMs + 1'200'000;
  const auto answer = recording.query(raw_request({"disk(vda)/reads/s"}, edge, edge + 20'000));
  auto expected = cooked(recording.all, "disk", "vda", "reads/s");
  std::erase_if(expected, [&](const auto& row) { return row.first < edge || row.first >= edge + 20'000; });
  REQUIRE(expected.size() >= 19);
  check_equal(rows_of(answer, "disk(vda)/reads/s"), expected);
}

TEST_CASE("The sum over a group adds up its members at each moment", "[history][T-L11]") {
  Recording recording;
  recording.run(1300);
  recording.maintain();
  const auto answer = recording.query(raw_request({"process(nginx)/cpu"}, kNoonMs, kNoonMs + 2'000'000));
  const auto first = cooked(recording.all, "process", "nginx:10@200", "cpu");
  const auto second = cooked(recording.all, "process", "nginx:11@200", "cpu");
  std::map<std::int64_t, double> expected;
  for (const auto& [time, value] : first) expected[time] = value + second.at(time);
  check_equal(rows_of(answer, "process(nginx)/cpu"), expected);
}

TEST_CASE("Minutes and hours hold what the seconds say, and a spike of one second stays visible",
          "[history][T-S08]") {
  Recording recording;
  recording.keeps_all = false;
  recording.run(12 * 3600 + 120);
  recording.maintain();
  const std::int64_t end = kNoonMs + 12 * 3'600'000;
  for (const char* path :
       {"disk(vda)/reads/s", "disk(vdb)/queue", "disk(vda)/busy", "process(init:1@100)/cpu"}) {
    const auto seconds = recording.query(bucket_request({path}, kNoonMs, end, 3'600'000, Tier::raw));
    const auto minutes = recording.query(bucket_request({path}, kNoonMs, end, 3'600'000, Tier::minute));
    const auto hours = recording.query(bucket_request({path}, kNoonMs, end, 3'600'000, Tier::hour));
    CHECK(minutes.tier == Tier::minute);
    for (const query::Answer* coarse : {&minutes, &hours}) {
      REQUIRE(coarse->series.size() == 1);
      for (std::size_t bucket = 0; bucket < 12; ++bucket) {
        const auto& exact = seconds.series[0].columns;
        const auto& rolled = coarse->series[0].columns;
        CHECK(rolled[0][bucket] == Catch::Approx(exact[0][bucket]).epsilon(5e-4));
        CHECK(rolled[1][bucket] <= exact[1][bucket]);
        CHECK(rolled[1][bucket] == Catch::Approx(exact[1][bucket]).epsilon(4e-3).margin(1e-9));
        CHECK(rolled[2][bucket] >= exact[2][bucket]);
        CHECK(rolled[2][bucket] == Catch::Approx(exact[2][bucket]).epsilon(4e-3));
        CHECK(rolled[3][bucket] == Catch::Approx(exact[3][bucket]).epsilon(2e-3).margin(1e-9));
        CHECK(rolled[4][bucket] == exact[4][bucket]);
      }
    }
    CHECK(seconds.gaps.empty());
    CHECK(minutes.gaps.empty());
    CHECK(hours.gaps.empty());
  }
}

TEST_CASE("Where the minute tier is not built yet, seconds serve", "[history]") {
  Recording recording;
  recording.run(1500);
  recording.maintain();
  const auto request =
      bucket_request({"disk(vda)/reads/s"}, kNoonMs, kNoonMs + 1'500'000, 60'000, Tier::minute);
  auto exact = request;
  exact.tier = Tier::raw;
  CHECK(recording.query(request).series[0].columns == recording.query(exact).series[0].columns);
}

TEST_CASE("Unknown names are errors with near ones, empty ranges are series without values", "[history]") {
  Recording recording;
  recording.run(10);
  auto& reader = recording.reader();
  const auto object = reader.query(raw_request({"dsk(vda)/queue"}, kNoonMs, kNoonMs + 60'000));
  REQUIRE_FALSE(object);
  CHECK(object.error().code == ErrorCode::not_found);
  CHECK(object.error().message.find("'disk'") != std::string::npos);
  const auto counter = reader.query(raw_request({"disk(vda)/queu"}, kNoonMs, kNoonMs + 60'000));
  REQUIRE_FALSE(counter);
  CHECK(counter.error().code == ErrorCode::not_found);
  const auto bare = reader.query(raw_request({"disk/queue"}, kNoonMs, kNoonMs + 60'000));
  REQUIRE_FALSE(bare);
  CHECK(bare.error().code == ErrorCode::invalid_argument);
  const auto nothing = recording.query(raw_request({"disk(vdz)/queue"}, kNoonMs, kNoonMs + 60'000));
  REQUIRE(nothing.series.size() == 1);
  CHECK(nothing.time_ms.empty());
  CHECK_FALSE(nothing.warnings.empty());
  CHECK(recording.query(raw_request({"disk(vdz*)/queue"}, kNoonMs, kNoonMs + 60'000)).series.empty());
}

TEST_CASE("Limits on series and values are kept, and the error names a step that fits", "[history]") {
  Recording recording;
  recording.run(50);
  auto request = raw_request({"disk(*)/*"}, kNoonMs, kNoonMs + 60'000);
  request.max_series = 3;
  auto answer = recording.reader().query(request);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().code == ErrorCode::too_large);
  request.max_series = 100;
  request.max_points = 20;
  answer = recording.reader().query(request);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().code == ErrorCode::too_large);
  CHECK(answer.error().fix.find("step=") != std::string::npos);
}

TEST_CASE("A query that nobody waits for any more is cancelled", "[history]") {
  Recording recording;
  recording.run(1300);
  recording.maintain();
  std::stop_source stop;
  stop.request_stop();
  const auto answer =
      recording.reader().query(raw_request({"disk(*)/*"}, kNoonMs, kNoonMs + 2'000'000), stop.get_token());
  REQUIRE_FALSE(answer);
  CHECK(answer.error().code == ErrorCode::cancelled);
}

TEST_CASE("with_raw shows the values that the formula was applied to", "[history]") {
  Recording recording;
  recording.run(20);
  auto request = raw_request({"disk(vda)/reads/s"}, kNoonMs, kNoonMs + 60'000);
  request.with_raw = true;
  const auto answer = recording.query(request);
  const query::SeriesAnswer& series = answer.series.at(0);
  REQUIRE(series.raw.size() == answer.time_ms.size());
  for (std::size_t i = 1; i < series.raw.size(); ++i) {
    const CookedParts& parts = series.raw[i].parts;
    const double seconds = (parts.newer_time - parts.older_time) / parts.time_frequency;
    CHECK(series.columns[0][i] == Catch::Approx((parts.newer_value - parts.older_value) / seconds));
    CHECK(series.raw[i].newer_time.wall_ms == answer.time_ms[i]);
  }
}

TEST_CASE("A changed definition goes on as the same series", "[history]") {
  Recording recording;
  recording.run(30);
  auto changed = std::make_shared<ObjectDefinition>(*recording.machine.disk);
  changed->counters[1].scale = 2.0;
  recording.machine.disk = changed;
  recording.run(30);
  const auto answer = recording.query(raw_request({"disk(vda)/queue"}, kNoonMs, kNoonMs + 120'000));
  REQUIRE(answer.series.size() == 1);
  CHECK(rows_of(answer, "disk(vda)/queue").size() == 60);
  check_equal(rows_of(answer, "disk(vda)/queue"), cooked(recording.all, "disk", "vda", "queue"));
}

TEST_CASE("Objects and instances are listed", "[history]") {
  Recording recording;
  recording.run(5);
  recording.machine.start_process("short:30@400");
  recording.run(2);
  recording.machine.stop_process("short:30@400");
  recording.run(20);
  const auto objects = recording.reader().objects();
  REQUIRE(objects);
  REQUIRE(objects->size() == 2);
  CHECK(objects->at(0).definition->name == "disk");
  const auto all = recording.reader().instances("process", {kNoonMs, kNoonMs + 60'000});
  REQUIRE(all);
  CHECK(all->size() == 4);
  const auto late = recording.reader().instances("process", {kNoonMs + 15'000, kNoonMs + 60'000});
  REQUIRE(late);
  CHECK(late->size() == 3);
  CHECK_FALSE(recording.reader().object("nothing"));
}

}  // namespace
}  // namespace countertop::test
