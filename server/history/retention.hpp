// How long and how much is kept: by age for each tier, and by the size of the
// whole data directory.
#pragma once

#include <cstdint>

#include "collectors/core/result.hpp"
#include "server/history/database.hpp"

namespace countertop::history {

inline constexpr std::int64_t kMinStoreBytes = std::int64_t{16} << 20;

struct RetentionPolicy {
  std::int64_t raw_days = 30;
  std::int64_t minute_days = 365;
  std::int64_t hour_days = 3650;
  std::int64_t max_bytes = std::int64_t{2} << 30;  // whole data directory, WAL included; a hard cap
};

/// invalid_argument with the limit and what to set instead; to be called before
/// anything is opened.
[[nodiscard]] Result<void> check_policy(const RetentionPolicy& policy);

/// Lets old data go. One thread at a time, with its own connection.
class Retention {
 public:
  Retention(Database& database, const RetentionPolicy& policy) : database_(database), policy_(policy) {}

  struct Sizes {
    std::int64_t used = 0;   // without the WAL, and as if the file had no free pages
    std::int64_t total = 0;  // the whole directory without the WAL
  };
  /// One slice: some thousand rows of one window at most. True: there is more to do now. `roll_below`: raw
  /// windows below it are about to go and should be rolled up first (see Roller::step); 0 when none is.
  [[nodiscard]] Result<bool> step(std::int64_t now_ms, const Sizes& sizes, std::int64_t& roll_below);

 private:
  [[nodiscard]] Result<bool> by_age(std::int64_t now_ms);
  [[nodiscard]] Result<bool> by_size(const Sizes& sizes, std::int64_t& roll_below);
  [[nodiscard]] Result<bool> shrink(const Sizes& sizes);
  [[nodiscard]] Result<bool> drop_raw_window(std::int64_t window);
  /// Up to that part of the window.
  [[nodiscard]] Result<bool> drop_minutes(std::int64_t window, std::int64_t part);
  /// The number of rows that went.
  [[nodiscard]] Result<std::int64_t> drop_minutes_of(std::int64_t instance, std::int64_t window,
                                                     std::int64_t part);
  [[nodiscard]] Result<bool> drop_hours_before(std::int64_t hour);
  [[nodiscard]] Result<bool> drop_dead_instances();
  [[nodiscard]] Result<void> run(const char* sql, std::int64_t first, std::int64_t second = 0);

  Database& database_;
  RetentionPolicy policy_;
  bool instances_are_due_ = true;  // a window went: some instances may have nothing left
  std::int64_t hours_done_ = 0;    // hours before it are gone
  std::int64_t minutes_done_ = 0;  // instances up to it have lost the minutes that are going
};

}  // namespace countertop::history
