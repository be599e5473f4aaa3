// The product's writer, sealer and reader as the benchmark uses them. Failures are exceptions here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collectors/core/snapshot.hpp"
#include "server/history/history_reader.hpp"
#include "server/history/history_writer.hpp"
#include "server/history/maintenance.hpp"

namespace countertop::bench {

class CountertopStore {
 public:
  explicit CountertopStore(const std::filesystem::path& directory, std::int64_t now_ms);

  /// One commit.
  void write(std::span<const Snapshot> snapshots, std::int64_t now_ms);
  /// Seals and rolls up what is due.
  void maintain(std::int64_t now_ms);
  /// Ends the run in order: no WAL stays behind.
  void close(std::int64_t now_ms);

 private:
  std::filesystem::path directory_;
  std::unique_ptr<history::HistoryWriter> writer_;
  std::unique_ptr<history::Maintenance> maintenance_;
};

[[nodiscard]] std::filesystem::path database_file(const std::filesystem::path& directory);

/// Pages of each table, in bytes.
struct TableSizes {
  std::uint64_t chunk = 0, minute = 0, hour = 0, tick = 0, other = 0, free = 0;
};
[[nodiscard]] TableSizes table_sizes(const std::filesystem::path& directory);

[[nodiscard]] std::unique_ptr<history::HistoryReader> open_reader(const std::filesystem::path& directory);

/// Buckets of min, max and average; `step_ms` 0 lets the planner choose for at most 1000 buckets. Returns how
/// many buckets had a value in at least one series.
std::size_t ask(history::HistoryReader& reader, std::span<const query::CounterPath> series,
                query::TimeRange range, std::int64_t step_ms = 0);

}  // namespace countertop::bench
