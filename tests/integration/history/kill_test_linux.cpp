// kill -9 at any moment: no committed tick is lost, and the file opens by itself.
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch_amalgamated.hpp>
#include <random>
#include <thread>

#include "tests/support/history_world.hpp"

namespace countertop::test {
namespace {

/// Writes at full speed, tells the number of each committed tick, and seals beside it, until it is killed.
[[noreturn]] void write_forever(const std::filesystem::path& directory, std::int64_t start_ms, int tell) {
  Machine machine(start_ms);
  auto writer = history::HistoryWriter::open(writer_options(directory), machine.wall_ms());
  if (!writer) _exit(2);
  std::atomic<std::int64_t> now_ms{machine.wall_ms()};
  std::thread upkeep([&] {
    auto maintenance = history::Maintenance::open(directory, {});
    if (!maintenance) _exit(3);
    for (;;) {
      if (const auto more = (*maintenance)->step(now_ms); !more) _exit(4);
    }
  });
  upkeep.detach();
  for (;;) {
    const auto snapshots = machine.tick();
    if (!(*writer)->write(snapshots, {}, machine.wall_ms())) _exit(5);
    now_ms = machine.wall_ms();
    const std::int64_t count = machine.seconds();
    if (write(tell, &count, sizeof count) != static_cast<ssize_t>(sizeof count)) _exit(6);
  }
}

std::string integrity(const std::filesystem::path& file) {
  sqlite3* connection = nullptr;
  sqlite3_open(file.c_str(), &connection);
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(connection, "PRAGMA integrity_check", -1, &statement, nullptr);
  std::string result = "no answer";
  if (sqlite3_step(statement) == SQLITE_ROW)
    result = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  sqlite3_close(connection);
  return result;
}

TEST_CASE("kill -9 at random moments loses no committed tick", "[history][slow][T-S05]") {
  TempDirectory directory;
  std::mt19937 random(20260301);
  std::int64_t start_ms = kNoonMs;
  for (int trial = 0; trial < 20; ++trial) {
    int pipe_ends[2];
    REQUIRE(pipe(pipe_ends) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      close(pipe_ends[0]);
      write_forever(directory.path(), start_ms, pipe_ends[1]);
    }
    close(pipe_ends[1]);
    std::int64_t committed = 0;
    const auto wanted = static_cast<std::int64_t>(random() % 3000 + 1);
    while (committed < wanted && read(pipe_ends[0], &committed, sizeof committed) == sizeof committed) {
    }
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFSIGNALED(status));  // it did not end by itself: no call had failed
    std::int64_t more = 0;
    while (read(pipe_ends[0], &more, sizeof more) == sizeof more) committed = more;
    close(pipe_ends[0]);

    CHECK(integrity(directory.database()) == "ok");
    auto writer = history::HistoryWriter::open(writer_options(directory.path()), start_ms + committed * 1000);
    REQUIRE(writer);
    CHECK((*writer)->state().damaged_files.empty());
    auto reader = history::HistoryReader::open(directory.path());
    REQUIRE(reader);
    const auto answer =
        (*reader)->query(raw_request({"disk(vda)/queue"}, start_ms, start_ms + (committed + 2) * 1000));
    REQUIRE(answer);
    INFO("trial " << trial << ", " << committed << " ticks committed");
    CHECK(static_cast<std::int64_t>(answer->time_ms.size()) >= committed);
    CHECK(static_cast<std::int64_t>(answer->time_ms.size()) <= committed + 1);
    start_ms += (committed + 60) * 1000;
  }
}

}  // namespace
}  // namespace countertop::test
