// Seals closed windows: turns their ticks into one chunk for each instance, one row for each short-lived one,
// and lets the ticks go.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "collectors/core/result.hpp"
#include "server/history/database.hpp"

namespace countertop::history {

class SealJob;

/// One thread at a time, with its own connection beside the writer's.
class Sealer {
 public:
  explicit Sealer(Database& database);
  ~Sealer();

  /// One slice: looks for a closed window, or decodes and writes a batch of instances. Each slice is at most
  /// one short write transaction; chunks become visible with the last one, in which the ticks go. A slice
  /// that was interrupted by a crash is repeated. True: there is more to do now.
  [[nodiscard]] Result<bool> step(std::int64_t now_ms);

 private:
  Database& database_;
  std::unique_ptr<SealJob> job_;
};

}  // namespace countertop::history
