// What the writer promises: runs and their ends, clock steps, durability, a full disk, damaged and newer
// files.
#include <sqlite3.h>

#include <catch_amalgamated.hpp>
#include <cmath>
#include <fstream>

#include "server/history/migrations.hpp"
#include "tests/support/history_world.hpp"
#include "tests/support/sqlite_vfs.hpp"

namespace countertop::test {
namespace {

std::vector<Mark> marks_of(Recording& recording, MarkKind kind) {
  const auto all = recording.reader().marks({0, std::numeric_limits<std::int64_t>::max()});
  REQUIRE(all);
  std::vector<Mark> marks;
  for (const query::StoredMark& one : *all)
    if (one.mark.kind == kind) marks.push_back(one.mark);
  return marks;
}

std::size_t values_in(const query::Answer& answer) {
  std::size_t count = 0;
  for (const query::SeriesAnswer& series : answer.series)
    for (const double value : series.columns[0]) count += std::isnan(value) ? 0U : 1U;
  return count;
}

TEST_CASE("A run that ended in order leaves a stop, and the gap says so", "[history]") {
  Recording recording;
  recording.run(20);
  recording.reopen(true);
  recording.run(20);
  CHECK(marks_of(recording, MarkKind::start).size() == 2);
  REQUIRE(marks_of(recording, MarkKind::stop).size() == 1);
  CHECK(marks_of(recording, MarkKind::crash).empty());
  const auto answer =
      recording.query(raw_request({"disk(vda)/queue"}, kNoonMs, recording.machine.wall_ms() + 500));
  REQUIRE(answer.gaps.size() == 1);
  CHECK(answer.gaps[0].reason == "Countertop was not running");
  // The row at the very end is outside of the range, or not: jitter.
  CHECK(values_in(answer) >= 39);
  CHECK(values_in(answer) <= 40);
}

TEST_CASE("A crash is marked with the time of the last stored tick", "[history]") {
  Recording recording;
  recording.run(20);
  const std::int64_t last_ms = recording.all[recording.all.size() - 2].time.wall_ms;
  recording.reopen(false);
  const auto crashes = marks_of(recording, MarkKind::crash);
  REQUIRE(crashes.size() == 1);
  CHECK(crashes[0].wall_ms == last_ms);
  CHECK(crashes[0].until_ms == recording.machine.wall_ms());
}

TEST_CASE("Another boot is a reboot, in order or not", "[history]") {
  Recording recording;
  recording.run(5);
  recording.reopen(true, "boot-2");
  recording.run(5);
  recording.reopen(false, "boot-3");
  const auto reboots = marks_of(recording, MarkKind::reboot);
  REQUIRE(reboots.size() == 2);
  CHECK(reboots[0].text != reboots[1].text);
  CHECK(marks_of(recording, MarkKind::crash).empty());
}

TEST_CASE("A clock that is put back neither drops nor doubles a row", "[history][T-T04]") {
  Recording recording;
  recording.run(600);
  recording.machine.step_clock(-3'600'000);
  recording.run(600);
  recording.machine.step_clock(7'200'000);
  recording.run(1300);
  const auto request =
      raw_request({"disk(vda)/queue", "disk(vda)/reads/s"}, kNoonMs - 7'200'000, kNoonMs + 14'400'000);
  const auto before = recording.query(request);
  recording.maintain();
  const auto after = recording.query(request);
  CHECK(before.time_ms.size() == 2500);
  CHECK((after.time_ms == before.time_ms));
  REQUIRE(after.series.size() == 2);
  std::size_t rates = 0;
  for (const double value : after.series[1].columns[0]) {
    if (std::isnan(value)) continue;
    ++rates;
    CHECK(value >= 0);
    CHECK(value <= 520);  // 499 reads within 0.98 s: no rate was taken over the step
  }
  CHECK(rates == 2497);  // each of three stretches begins without one
}

TEST_CASE("Every tenth commit waits for the disk", "[history]") {
  const TestVfs vfs;
  Recording recording;
  recording.keeps_all = false;
  TestVfs::wal_syncs = 0;
  std::int64_t last = 0;
  for (int i = 1; i <= 100; ++i) {
    recording.run(1);
    if (i % 10 == 0) {
      CHECK(TestVfs::wal_syncs > last);
      last = TestVfs::wal_syncs;
    }
  }
  CHECK(TestVfs::wal_syncs <= 20);
}

TEST_CASE("One host writes at most 10 kB a second", "[history]") {
  const TestVfs vfs;
  Recording recording;
  recording.keeps_all = false;
  for (int i = 0; i < 300; ++i) recording.machine.start_process("worker:" + std::to_string(1000 + i) + "@1");
  recording.run(60);
  TestVfs::bytes_written = 0;
  for (int i = 0; i < 3600; ++i) {
    if (i % 2 == 0) recording.machine.start_process("short:" + std::to_string(5000 + i) + "@2");
    if (i % 2 == 1) recording.machine.stop_process("short:" + std::to_string(5000 + i - 1) + "@2");
    recording.run(1);
    recording.maintain();
  }
  const double bytes_per_second = static_cast<double>(TestVfs::bytes_written) / 3600;
  INFO(bytes_per_second << " bytes a second");
  CHECK(bytes_per_second <= 10'000);
}

TEST_CASE("A full disk is said, serving goes on, and storing resumes by itself", "[history]") {
  const TestVfs vfs;
  Recording recording;
  recording.run(60);
  TestVfs::is_full = true;
  bool was_full = false;
  for (int i = 0; i < 30; ++i) {
    const auto snapshots = recording.machine.tick();
    const auto report = recording.writer->write(snapshots, {}, recording.machine.wall_ms());
    if (!report) {
      CHECK(report.error().code == ErrorCode::no_space);
      was_full = true;
    }
    recording.all.insert(recording.all.end(), snapshots.begin(), snapshots.end());
  }
  REQUIRE(was_full);
  CHECK(recording.writer->state().no_space);
  const auto request = raw_request({"disk(vda)/reads/s"}, kNoonMs, kNoonMs + 600'000);
  CHECK(values_in(recording.query(request)) >= 59);
  TestVfs::is_full = false;
  recording.run(30);
  CHECK_FALSE(recording.writer->state().no_space);
  CHECK(marks_of(recording, MarkKind::disk_full).size() == 1);
  CHECK(marks_of(recording, MarkKind::disk_back).size() == 1);
  // What waited in memory came after all; a new segment begins with it.
  const auto answer = recording.query(request);
  CHECK(answer.time_ms.size() == 120);
  CHECK(values_in(answer) >= 118);
}

TEST_CASE("What waits for room in memory is bounded", "[history]") {
  const TestVfs vfs;
  Recording recording;
  recording.keeps_all = false;
  for (int i = 0; i < 1000; ++i) recording.machine.start_process("worker:" + std::to_string(1000 + i) + "@1");
  recording.run(5);
  TestVfs::is_full = true;
  for (int i = 0; i < 200; ++i)
    (void)recording.writer->write(recording.machine.tick(), {}, recording.machine.wall_ms());
  CHECK(recording.writer->state().dropped_snapshots > 0);
  TestVfs::is_full = false;
  recording.run(5);
  CHECK_FALSE(recording.writer->state().no_space);
}

TEST_CASE("A file of a newer program is refused, naming both versions and what to do", "[history][T-S06]") {
  TempDirectory directory;
  const auto newer = std::to_string(history::newest_schema_version() + 1);
  {
    auto writer = history::HistoryWriter::open(writer_options(directory.path()), kNoonMs);
    REQUIRE(writer);
    REQUIRE((*writer)->close(kNoonMs));
  }
  sqlite3* connection = nullptr;
  REQUIRE(sqlite3_open(directory.database().c_str(), &connection) == SQLITE_OK);
  sqlite3_exec(connection, ("PRAGMA user_version=" + newer).c_str(), nullptr, nullptr, nullptr);
  sqlite3_close(connection);
  const auto refused = history::HistoryWriter::open(writer_options(directory.path()), kNoonMs);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::unavailable);
  CHECK(refused.error().message.find(newer) != std::string::npos);
  CHECK(refused.error().message.find(std::to_string(history::newest_schema_version())) != std::string::npos);
  CHECK(refused.error().fix.find("--data") != std::string::npos);
  CHECK_FALSE(history::HistoryReader::open(directory.path()));
}

TEST_CASE("An SQLite file of another program is left alone", "[history]") {
  TempDirectory directory;
  sqlite3* connection = nullptr;
  REQUIRE(sqlite3_open(directory.database().c_str(), &connection) == SQLITE_OK);
  sqlite3_exec(connection, "CREATE TABLE precious(x)", nullptr, nullptr, nullptr);
  sqlite3_close(connection);
  const auto refused = history::HistoryWriter::open(writer_options(directory.path()), kNoonMs);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == ErrorCode::invalid_argument);
  CHECK(std::filesystem::exists(directory.database()));
}

TEST_CASE("A damaged file is set aside, named, and a new one begun", "[history][T-S05]") {
  TempDirectory directory;
  {
    std::ofstream file(directory.database(), std::ios::binary);
    for (int i = 0; i < 5000; ++i) file << "this is no database ";
  }
  auto writer = history::HistoryWriter::open(writer_options(directory.path()), kNoonMs);
  REQUIRE(writer);
  const auto state = (*writer)->state();
  REQUIRE(state.damaged_files.size() == 1);
  CHECK(state.damaged_files[0] == "history.db.damaged-20260301-120000");
  CHECK(std::filesystem::exists(directory.path() / state.damaged_files[0]));
  auto reader = history::HistoryReader::open(directory.path());
  REQUIRE(reader);
  const auto marks = (*reader)->marks({0, kNoonMs + 1});
  REQUIRE(marks);
  CHECK(std::ranges::any_of(*marks, [&](const query::StoredMark& one) {
    return one.mark.kind == MarkKind::store_damaged &&
           one.mark.text.find(state.damaged_files[0]) != std::string::npos;
  }));
}

TEST_CASE("A file damaged while the program runs is replaced, and readers notice", "[history][T-S05]") {
  Recording recording;
  recording.run(30);
  REQUIRE(recording.query(raw_request({"disk(vda)/queue"}, kNoonMs, kNoonMs + 600'000)).time_ms.size() == 30);
  REQUIRE(recording.writer->set_aside("found damaged by a test", recording.machine.wall_ms()));
  recording.run(10);
  recording.maintain();
  CHECK(recording.query(raw_request({"disk(vda)/queue"}, kNoonMs, kNoonMs + 600'000)).time_ms.size() == 10);
  CHECK(recording.writer->state().damaged_files.size() == 1);
  recording.run(10);
}

TEST_CASE("Notes come and go; what the program marked stays", "[history]") {
  Recording recording;
  recording.run(2);
  const auto id = recording.writer->add_mark(Mark{kNoonMs, MarkKind::note, "deploy", 0});
  REQUIRE(id);
  CHECK(marks_of(recording, MarkKind::note).size() == 1);
  REQUIRE(recording.writer->delete_mark(*id));
  CHECK(marks_of(recording, MarkKind::note).empty());
  const auto again = recording.writer->delete_mark(*id);
  REQUIRE_FALSE(again);
  CHECK(again.error().code == ErrorCode::not_found);
  const auto own = recording.writer->delete_mark(1);
  REQUIRE_FALSE(own);
  CHECK(own.error().code == ErrorCode::invalid_argument);
}

TEST_CASE("Snapshots that are not sound are left out and named, the others stored", "[history]") {
  Recording recording;
  auto snapshots = recording.machine.tick();
  snapshots[0].values.pop_back();
  const auto report = recording.writer->write(snapshots, {}, recording.machine.wall_ms());
  REQUIRE(report);
  CHECK(report->samples == snapshots[1].values.size());
  CHECK_FALSE(recording.writer->state().warnings.empty());
  auto twice = recording.machine.tick();
  twice[0].instances[1].name = twice[0].instances[0].name;
  REQUIRE(recording.writer->write(twice, {}, recording.machine.wall_ms()));
  recording.run(5);
  CHECK(recording.query(raw_request({"disk(vdb)/queue"}, kNoonMs, kNoonMs + 60'000)).time_ms.size() == 5);
}

}  // namespace
}  // namespace countertop::test
