// Turns snapshots into rows of the `tick` table. The inner part of HistoryWriter: no transactions, no
// recovery.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/core/result.hpp"
#include "collectors/core/snapshot.hpp"
#include "server/history/dictionary.hpp"
#include "server/history/history_writer.hpp"
#include "server/history/tick_codec.hpp"

namespace countertop::history {

class TickStore {
 public:
  /// Reads what numbers are taken and begins a new segment. Also to be called after a rollback.
  [[nodiscard]] Result<void> open(Database& database, const std::string& host);

  [[nodiscard]] std::int64_t host_id() const { return dictionary_.host_id(); }

  /// Must run inside a write transaction. Snapshots that are not sound are left out and named in `problems`.
  [[nodiscard]] Result<void> store(std::span<const Snapshot* const> snapshots, std::int64_t now_ms,
                                   WriteReport& report, std::vector<std::string>& problems);

 private:
  [[nodiscard]] Result<void> store_one(const Snapshot& snapshot, std::int64_t now_ms, WriteReport& report);
  void begin_row(const Snapshot& snapshot, std::int64_t window);
  [[nodiscard]] Result<void> end_row(WriteReport& report);

  Database* database_ = nullptr;
  Dictionary dictionary_;
  TickEncoder encoder_;
  Statement insert_;
  std::int64_t next_tick_ = 1;
  std::int64_t segment_ = 1;
  std::int64_t last_window_ = -1;
  // The row being filled.
  bool row_is_open_ = false;
  std::int64_t row_wall_ms_ = 0;
  std::vector<Arrival> arrivals_;
  Bytes arrivals_blob_;
};

}  // namespace countertop::history
