// The background work on the data file: seals closed windows into chunks, rolls
// them up, and lets old data go.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "collectors/core/result.hpp"
#include "server/history/retention.hpp"
#include "server/history/store_status.hpp"

namespace countertop::history {

/// Used by one thread of its own, beside the writer; has its own connection.
/// `status` may be called from any thread.
class Maintenance {
 public:
  /// The file must exist (HistoryWriter::open first).
  [[nodiscard]] static Result<std::unique_ptr<Maintenance>> open(const std::filesystem::path& directory,
                                                                 const RetentionPolicy& policy);
  Maintenance(const Maintenance&) = delete;
  Maintenance& operator=(const Maintenance&) = delete;
  ~Maintenance();

  /// Does one slice of work: the file stays locked against the writer for some
  /// tens of milliseconds at most. True: there is more to do now, call again
  /// after a short pause; false: call again in a second or more.
  [[nodiscard]] Result<bool> step(std::int64_t now_ms);

  /// Step until nothing is left to do. For tests, benchmarks and the end of an
  /// import.
  [[nodiscard]] Result<void> run(std::int64_t now_ms);

  /// As of the last step, cheap.
  [[nodiscard]] StoreStatus status() const;

 private:
  class Impl;
  explicit Maintenance(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace countertop::history
