// Writes hours as plain rows, made of minutes.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "collectors/core/result.hpp"
#include "server/history/database.hpp"
#include "server/query/buckets.hpp"

namespace countertop::history {

/// One thread at a time, inside a write transaction of the caller.
class HourRows {
 public:
  [[nodiscard]] static Result<HourRows> open(Database& database);

  /// Minutes of one counter of one instance. Hours that are there already are merged.
  [[nodiscard]] Result<void> add(std::int64_t instance, const std::string& counter,
                                 std::span<const query::TierPoint> minutes);

 private:
  HourRows(Database& database, Statement insert) : database_(&database), insert_(std::move(insert)) {}
  [[nodiscard]] Result<std::int64_t> counter_id(const std::string& name);

  Database* database_;
  Statement insert_;
  std::map<std::string, std::int64_t> counters_;
};

}  // namespace countertop::history
