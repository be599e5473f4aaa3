// Raw rows of any length, one window at a time: the engine of exports and of samples() in SQL.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "collectors/core/result.hpp"
#include "server/history/catalog.hpp"
#include "server/history/database.hpp"
#include "server/history/series_plan.hpp"
#include "server/query/model.hpp"

namespace countertop::history {

class RowStream {
 public:
  /// Resolves the paths over the whole range, inside a read transaction of the caller.
  [[nodiscard]] static Result<RowStream> open(Catalog& catalog, const query::Request& request);

  [[nodiscard]] const QueryPlan& plan() const { return plan_; }
  /// The range of the next window that may hold rows, empty (from_ms >= to_ms) at the end.
  [[nodiscard]] Result<query::TimeRange> next_range(Database& database);
  /// Rows of the next window; all series are there, in the plan's order. nullopt: the end. Each call inside a
  /// read transaction of the caller, which may be another one each time.
  [[nodiscard]] Result<std::optional<query::Answer>> next(Database& database, std::span<const Mark> marks,
                                                          const std::stop_token& stop);

 private:
  RowStream(QueryPlan plan, std::int64_t host, query::TimeRange range)
      : plan_(std::move(plan)), host_(host), range_(range), cursor_ms_(range.from_ms) {}

  QueryPlan plan_;
  std::int64_t host_;
  query::TimeRange range_;
  std::int64_t cursor_ms_;
};

}  // namespace countertop::history
