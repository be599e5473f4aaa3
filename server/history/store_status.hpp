// What the history takes on disk, how far back it reaches and how long it lasts
// at the present rate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace countertop::history {

struct StoreStatus {
  std::int64_t bytes = 0;      // whole data directory, WAL and files set aside included
  std::int64_t max_bytes = 0;  // hard cap on `bytes`
  std::int64_t wal_bytes = 0;
  /// Unix milliseconds of the oldest value of each tier; nullopt while a tier
  /// is empty.
  std::optional<std::int64_t> oldest_raw_ms, oldest_minute_ms, oldest_hour_ms;
  std::optional<std::int64_t> newest_ms;  // last stored tick
  double bytes_per_day = 0;               // growth at the present rate; 0 while not known (first hour)
  /// Days until the oldest seconds have to go because of the cap; nullopt: age
  /// comes first, or not known yet.
  std::optional<double> days_left;
  bool no_space = false;                   // the disk is full: newest ticks wait in memory
  std::vector<std::string> warnings;       // sentences for people: a file set aside,
                                           // a cap below what age asks for
  std::vector<std::string> damaged_files;  // names of files set aside in the data directory
};

}  // namespace countertop::history
