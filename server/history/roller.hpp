// Rolls sealed raw data up into the minute and hour tiers, one minute window (12 hours) at a time.
#pragma once

#include <cstdint>
#include <memory>

#include "collectors/core/result.hpp"
#include "server/history/database.hpp"

namespace countertop::history {

class RollJob;

/// One thread at a time. Call only when nothing is left to seal.
class Roller {
 public:
  explicit Roller(Database& database);
  ~Roller();

  /// One slice: some instances, written in one short transaction each slice. What a crash interrupted is
  /// taken up where it ended. `up_to_window`: raw windows below it are rolled even though their minute window
  /// is not over, because they are about to go. True: there is more to do now.
  [[nodiscard]] Result<bool> step(std::int64_t now_ms, std::int64_t up_to_window = 0);

 private:
  Database& database_;
  std::unique_ptr<RollJob> job_;
};

}  // namespace countertop::history
