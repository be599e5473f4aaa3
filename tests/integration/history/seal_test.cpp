// Sealing: what becomes of short-lived processes, of crashes in between, of damaged chunks, of old data.
#include <sqlite3.h>

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>

#include "tests/support/history_world.hpp"

namespace countertop::test {
namespace {

std::int64_t number(const TempDirectory& directory, const std::string& sql) {
  sqlite3* connection = nullptr;
  REQUIRE(sqlite3_open(directory.database().c_str(), &connection) == SQLITE_OK);
  sqlite3_busy_timeout(connection, 5000);
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(connection, sql.c_str(), -1, &statement, nullptr);
  INFO(sql << ": " << sqlite3_errmsg(connection));
  REQUIRE(code == SQLITE_OK);
  std::int64_t value = -1;
  if (sqlite3_step(statement) == SQLITE_ROW) value = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(connection);
  return value;
}

const query::ProcessRow* find(const query::ProcessTable& table, const std::string& name) {
  for (const query::ProcessRow& row : table.rows)
    if (row.name == name) return &row;
  return nullptr;
}

bool has_all(const query::Answer& answer) {
  return !answer.series.empty() &&
         std::ranges::none_of(answer.series[0].columns[0], [](double v) { return std::isnan(v); });
}

TEST_CASE("Who was there at any second can be told, short-lived ones too", "[history][T-U05]") {
  Recording recording;
  recording.run(100);
  recording.machine.start_process("cc1:77@1772366500");
  recording.run(3);
  const std::int64_t moment = recording.machine.wall_ms() + 100;
  recording.machine.stop_process("cc1:77@1772366500");
  recording.run(1300);
  const auto unsealed = recording.reader().processes(moment);
  REQUIRE(unsealed);
  REQUIRE(find(*unsealed, "cc1") != nullptr);
  recording.maintain();
  REQUIRE(number(recording.directory, "SELECT count(*) FROM brief_instance") == 1);
  REQUIRE(number(recording.directory, "SELECT count(*) FROM instance WHERE name LIKE 'cc1%'") == 0);
  const auto sealed = recording.reader().processes(moment);
  REQUIRE(sealed);
  CHECK(sealed->rows.size() == 4);
  const query::ProcessRow* const brief = find(*sealed, "cc1");
  REQUIRE(brief != nullptr);
  CHECK(brief->brief);
  CHECK(brief->pid == 77);
  CHECK(brief->start_s == 1772366500);
  CHECK_FALSE(std::isnan(brief->values[0]));
  CHECK(brief->values[1] > 0);
  // The others have the same values as before they were sealed.
  for (const query::ProcessRow& row : unsealed->rows) {
    if (row.name == "cc1" || row.name == "nginx") continue;
    const query::ProcessRow* const same = find(*sealed, row.name);
    REQUIRE(same != nullptr);
    CHECK(same->values == row.values);
  }
  const auto later = recording.reader().processes(moment + 30'000);
  REQUIRE(later);
  CHECK(find(*later, "cc1") == nullptr);
}

TEST_CASE("A short-lived process that worked hard keeps its history", "[history]") {
  Recording recording;
  recording.run(10);
  recording.machine.start_process("busy:88@1");
  recording.run(1);
  recording.machine.stop_process("busy:88@1");
  recording.machine.start_process("long:89@1");
  recording.run(30);
  recording.machine.stop_process("long:89@1");
  recording.run(1300);
  recording.maintain();
  CHECK(number(recording.directory, "SELECT count(*) FROM instance WHERE name='long:89@1'") == 1);
  CHECK(number(recording.directory, "SELECT count(*) FROM brief_instance WHERE name='busy:88@1'") == 1);
}

TEST_CASE("Sealing that was interrupted is repeated without loss or double rows", "[history]") {
  Recording recording;
  recording.run(2500);
  const auto request = raw_request({"disk(*)/*", "process(*)/*"}, kNoonMs, kNoonMs + 4'000'000);
  const auto before = recording.query(request);
  for (int slices = 1; slices < 12; ++slices) {
    // A maintenance that ends after some slices stands for a crash between two of them.
    auto broken = history::Maintenance::open(recording.directory.path(), {});
    REQUIRE(broken);
    for (int i = 0; i < slices; ++i) REQUIRE((*broken)->step(recording.machine.wall_ms()));
    const auto during = recording.query(request);
    CHECK(during.time_ms == before.time_ms);
    REQUIRE(during.series.size() == before.series.size());
  }
  recording.maintain();
  const auto after = recording.query(request);
  CHECK(after.time_ms == before.time_ms);
  REQUIRE(after.series.size() == before.series.size());
  for (std::size_t i = 0; i < after.series.size(); ++i)
    for (std::size_t row = 0; row < after.time_ms.size(); ++row) {
      const double one = before.series[i].columns[0][row];
      const double other = after.series[i].columns[0][row];
      if (!(one == other || (std::isnan(one) && std::isnan(other)))) FAIL("row " << row << " of " << i);
    }
  CHECK(number(recording.directory, "SELECT count(*) FROM part") == 2);
}

TEST_CASE("What an earlier run left is sealed by the next", "[history]") {
  Recording recording;
  recording.run(700);
  recording.reopen(false);
  recording.run(700);
  recording.maintain();
  CHECK(number(recording.directory, "SELECT count(*) FROM part") ==
        2);  // the crashed run, and the first window
  CHECK(number(recording.directory, "SELECT count(DISTINCT segment) FROM part") == 2);
}

TEST_CASE("A damaged chunk costs a gap and a warning, not the query", "[history]") {
  Recording recording;
  recording.run(3700);
  recording.maintain();
  const auto request = bucket_request({"disk(vda)/reads/s", "disk(vdb)/reads/s"}, kNoonMs,
                                      kNoonMs + 3'600'000, 60'000, query::Tier::raw);
  REQUIRE(recording.query(request).gaps.empty());
  number(recording.directory,
         "UPDATE chunk SET v=substr(v,1,20)||x'ff00ff'||substr(v,24) WHERE t0=(SELECT min(t0)+1200 FROM "
         "chunk) AND "
         "instance=(SELECT id FROM instance WHERE name='vda') RETURNING 1");
  const auto answer = recording.query(request);
  CHECK_FALSE(answer.warnings.empty());
  REQUIRE(answer.gaps.size() == 1);
  CHECK(answer.gaps[0].reason == "stored data damaged");
  REQUIRE(answer.series.size() == 2);
  CHECK(std::isnan(answer.series[0].columns[0][30]));
  CHECK_FALSE(std::isnan(answer.series[0].columns[0][10]));
  CHECK_FALSE(std::isnan(answer.series[0].columns[0][50]));
  CHECK_FALSE(std::isnan(answer.series[1].columns[0][30]));
}

TEST_CASE("Damaged definitions, arrivals and ticks cost what they hold and no more", "[history]") {
  Recording recording;
  recording.run(200);
  number(recording.directory, "UPDATE object SET definition='{\"name\":3}' WHERE name='process' RETURNING 1");
  number(recording.directory, "UPDATE tick SET arrivals=x'ffffffffff' WHERE id=1 RETURNING 1");
  number(recording.directory, "UPDATE tick SET v=x'00' WHERE id=100 RETURNING 1");
  auto reader = history::HistoryReader::open(recording.directory.path());
  REQUIRE(reader);
  const auto objects = (*reader)->objects();
  REQUIRE(objects);
  CHECK(objects->size() == 1);
  recording.run(1300);
  recording.maintain();
  const auto answer = recording.query(raw_request({"disk(*)/queue"}, kNoonMs, kNoonMs + 4'000'000));
  CHECK_FALSE(answer.warnings.empty());
}

TEST_CASE("Seconds, minutes and hours go by their age", "[history]") {
  Recording recording;
  recording.keeps_all = false;
  recording.run(13 * 3600);
  recording.maintain();
  REQUIRE(number(recording.directory, "SELECT count(*) FROM minute_part") == 1);
  REQUIRE(number(recording.directory, "SELECT count(*) FROM hour") > 0);
  const std::int64_t day = 86'400'000;
  history::RetentionPolicy policy;
  policy.raw_days = 1;
  policy.minute_days = 2;
  policy.hour_days = 4;
  auto maintenance = history::Maintenance::open(recording.directory.path(), policy);
  REQUIRE(maintenance);
  REQUIRE((*maintenance)->run(recording.machine.wall_ms() + day));
  CHECK(number(recording.directory,
               "SELECT count(*) FROM chunk WHERE t0<" + std::to_string(kNoonMs / 1000 + 3600)) == 0);
  // The range is served by what is left of it.
  const auto request =
      bucket_request({"disk(vda)/reads/s"}, kNoonMs, kNoonMs + 6 * 3'600'000, 3'600'000, query::Tier::raw);
  CHECK(has_all(recording.query(request)));
  REQUIRE((*maintenance)->run(recording.machine.wall_ms() + 2 * day + day / 2));
  CHECK(number(recording.directory, "SELECT count(*) FROM minute") == 0);
  CHECK(has_all(recording.query(request)));
  REQUIRE((*maintenance)->run(recording.machine.wall_ms() + 6 * day));
  CHECK(number(recording.directory, "SELECT count(*) FROM hour") == 0);
  CHECK(number(recording.directory, "SELECT count(*) FROM instance WHERE role=0") == 0);
}

TEST_CASE("A size limit below the least possible is refused with a sentence", "[history][T-S01]") {
  history::RetentionPolicy policy;
  policy.max_bytes = 1 << 20;
  const auto checked = history::check_policy(policy);
  REQUIRE_FALSE(checked);
  CHECK(checked.error().fix.find("16 MiB") != std::string::npos);
}

}  // namespace
}  // namespace countertop::test
