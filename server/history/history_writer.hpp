// Stores what the collectors read: one transaction for each call, at most one
// call a second needed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collectors/core/collector.hpp"
#include "collectors/core/result.hpp"
#include "collectors/core/snapshot.hpp"

namespace countertop::history {

/// Name of the one data file inside the data directory.
inline constexpr const char* kDatabaseFileName = "history.db";

struct WriterOptions {
  std::filesystem::path directory;  // created (0700) when missing
  std::string host;                 // name of this machine
  std::string boot_id;              // differs after each start of the machine; "" where unknown
  std::string program_version;
};

struct WriteReport {
  std::size_t ticks = 0;    // rows written
  std::size_t samples = 0;  // raw values in them
  std::size_t blob_bytes = 0;
  std::size_t waiting_ticks = 0;  // kept in memory because the disk is full
  bool full_sync = false;         // this commit is on the platter
};

/// State that /status shows; a copy, taken from any thread.
struct WriterState {
  bool no_space = false;
  std::uint64_t dropped_snapshots = 0;     // lost because the disk stayed full for long
  std::vector<std::string> damaged_files;  // set aside since the program started
  std::vector<std::string> warnings;
};

/// One thread at a time calls write, add_mark, delete_mark and close (they
/// lock, so several threads may).
class HistoryWriter {
 public:
  /// Opens or creates the file, migrates it, sets a damaged one aside (its new
  /// name is in state().damaged_files and in a mark), notes how the previous
  /// run ended as marks, and begins a new run. A file written by a newer
  /// program is refused: ErrorCode::unavailable, naming both versions.
  [[nodiscard]] static Result<std::unique_ptr<HistoryWriter>> open(const WriterOptions& options,
                                                                   std::int64_t now_ms);

  HistoryWriter(const HistoryWriter&) = delete;
  HistoryWriter& operator=(const HistoryWriter&) = delete;
  ~HistoryWriter();  // does not end the run in order: close does

  /// Stores everything in one transaction. ErrorCode::no_space: the newest
  /// ticks wait in memory and are written by a later call as soon as there is
  /// room; nothing needs to be given again.
  [[nodiscard]] Result<WriteReport> write(std::span<const Snapshot> snapshots, std::span<const Mark> marks,
                                          std::int64_t now_ms);
  /// The same for whole readings: their snapshots and marks.
  [[nodiscard]] Result<WriteReport> write(std::span<const Collected> readings, std::span<const Mark> marks,
                                          std::int64_t now_ms);

  /// Stores one mark at once and gives its id.
  [[nodiscard]] Result<std::int64_t> add_mark(const Mark& mark);
  /// Only marks of kind note can be deleted (invalid_argument); an unknown id
  /// is not_found.
  [[nodiscard]] Result<void> delete_mark(std::int64_t id);

  /// Sets the data file aside and begins a new one: for when Maintenance finds it damaged
  /// (ErrorCode::malformed). The writer does so by itself when it meets the damage. `why` goes into the mark.
  [[nodiscard]] Result<void> set_aside(const std::string& why, std::int64_t now_ms);

  /// Ends the run in order: a stop mark, everything synced, WAL truncated.
  [[nodiscard]] Result<void> close(std::int64_t now_ms);

  [[nodiscard]] WriterState state() const;

 private:
  class Impl;
  explicit HistoryWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace countertop::history
