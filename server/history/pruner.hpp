// Lets old data go: by age for each tier, and by the size of the whole data directory.
#pragma once

#include <cstdint>
#include <filesystem>

#include "collectors/core/result.hpp"
#include "server/history/database.hpp"
#include "server/history/retention.hpp"

namespace countertop::history {

/// Bytes on disk.
struct StoreSize {
  std::int64_t directory = 0;  // every file in it
  std::int64_t wal = 0;
  std::int64_t set_aside = 0;  // damaged files kept for the user
  std::int64_t free_pages = 0; // inside the data file, reusable or to be given back
  [[nodiscard]] std::int64_t used() const { return directory - free_pages; }
};
[[nodiscard]] Result<StoreSize> measure_store(Database& database, const std::filesystem::path& directory);

/// One thread.
class Pruner {
 public:
  Pruner(Database& database, std::filesystem::path directory, const RetentionPolicy& policy)
      : database_(&database), directory_(std::move(directory)), policy_(policy) {}

  /// One slice; false: nothing has to go now.
  [[nodiscard]] Result<bool> step(std::int64_t now_ms);

  /// What is used above this has to go; below max_bytes by what a checkpoint and a second's writing may need.
  [[nodiscard]] std::int64_t soft_limit() const;

 private:
  [[nodiscard]] Result<bool> prune_by_age(std::int64_t now_ms);
  [[nodiscard]] Result<bool> prune_by_size();
  [[nodiscard]] Result<bool> prune_instances();
  [[nodiscard]] Result<bool> shrink_file(const StoreSize& size);
  [[nodiscard]] Result<bool> remove_oldest_file_set_aside();
  [[nodiscard]] Result<void> remove_raw_window(std::int64_t window);
  [[nodiscard]] Result<void> remove_minute_window(std::int64_t window);
  [[nodiscard]] Result<void> run(const char* sql, std::int64_t first, std::int64_t second);

  Database* database_;
  std::filesystem::path directory_;
  RetentionPolicy policy_;
  std::int64_t next_slow_round_ms_ = 0;  // of what is worth looking at once in a while only
};

}  // namespace countertop::history
