// A small made-up machine and a data directory for tests of the history.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "collectors/core/snapshot.hpp"
#include "server/history/history_reader.hpp"
#include "server/history/history_writer.hpp"
#include "server/history/maintenance.hpp"

namespace countertop::test {

/// 2026-03-01 12:00:00 UTC: the start of a minute window.
inline constexpr std::int64_t kNoonMs = 1'772'366'400'000;

/// Removed at the end.
class TempDirectory {
 public:
  TempDirectory();
  ~TempDirectory();
  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path database() const { return path_ / history::kDatabaseFileName; }

 private:
  std::filesystem::path path_;
};

/// Object `disk`: instances vda and vdb; reads/s (rate), queue (gauge), busy (share of all ticks), read time
/// (average).
[[nodiscard]] ObjectHandle disk_object();
/// Object `process`: grouped, notable after 5 ticks or 10 units of cpu.
[[nodiscard]] ObjectHandle process_object();

/// Gives snapshots whose values follow from time and name, with jitter; the same at each run.
class Machine {
 public:
  explicit Machine(std::int64_t wall_ms = kNoonMs) : wall_ms_(wall_ms) {}

  /// One second later.
  [[nodiscard]] std::vector<Snapshot> tick();
  /// The wall clock jumps, the monotonic one does not.
  void step_clock(std::int64_t by_ms) { wall_ms_ += by_ms; }
  /// Time passes without a tick.
  void skip(std::int64_t ms) {
    wall_ms_ += ms;
    perf_ms_ += ms;
  }
  void start_process(const std::string& instance) { processes_[instance] = Process{true, 0}; }
  void stop_process(const std::string& instance) { processes_.erase(instance); }
  [[nodiscard]] std::int64_t wall_ms() const { return wall_ms_; }
  [[nodiscard]] std::int64_t seconds() const { return count_; }

  ObjectHandle disk = disk_object();
  ObjectHandle process = process_object();

 private:
  struct Process {
    bool is_new = true;
    std::int64_t cpu = 0;
  };
  [[nodiscard]] std::uint64_t random();

  std::int64_t wall_ms_;
  std::int64_t perf_ms_ = 5'000'000;
  std::int64_t count_ = 0;
  std::uint64_t state_ = 88172645463325252ULL;
  std::int64_t reads_[2] = {1000, 2000};
  std::int64_t busy_[2] = {50, 60};
  std::int64_t total_ = 100;
  std::map<std::string, Process> processes_{{"init:1@100", Process{false, 500}},
                                            {"nginx:10@200", Process{false, 1}},
                                            {"nginx:11@200", Process{false, 2}}};
};

[[nodiscard]] history::WriterOptions writer_options(const std::filesystem::path& directory);

/// A directory with a writer; fails the test when something fails.
class Recording {
 public:
  explicit Recording(std::int64_t start_ms = kNoonMs);

  /// Ticks and stores that many seconds; every snapshot is kept in `all`.
  void run(int seconds);
  void maintain();
  void reopen(bool in_order, const std::string& boot_id = "boot-1");

  [[nodiscard]] query::Answer query(const query::Request& request);
  [[nodiscard]] history::HistoryReader& reader();

  TempDirectory directory;
  Machine machine;
  std::unique_ptr<history::HistoryWriter> writer;
  std::unique_ptr<history::Maintenance> maintenance;
  std::vector<Snapshot> all;
  bool keeps_all = true;

 private:
  std::unique_ptr<history::HistoryReader> reader_;
};

/// Raw rows of the paths in [from, to).
[[nodiscard]] query::Request raw_request(const std::vector<std::string>& paths, std::int64_t from_ms,
                                         std::int64_t to_ms);
/// Buckets of `step_ms`.
[[nodiscard]] query::Request bucket_request(const std::vector<std::string>& paths, std::int64_t from_ms,
                                            std::int64_t to_ms, std::int64_t step_ms, query::Tier tier);

/// What `cook` says of the recorded snapshots, by time; absent values are left out.
[[nodiscard]] std::map<std::int64_t, double> cooked(const std::vector<Snapshot>& snapshots,
                                                    const std::string& object, const std::string& instance,
                                                    const std::string& counter);

}  // namespace countertop::test
