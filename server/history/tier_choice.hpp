// Which stretch of a range comes from which tier: coarse where it may be, finer where the coarse one is not
// built yet, coarser where the fine one is gone.
#pragma once

#include <stop_token>

#include "collectors/core/result.hpp"
#include "server/history/database.hpp"
#include "server/history/query_sink.hpp"
#include "server/history/series_plan.hpp"
#include "server/query/model.hpp"

namespace countertop::history {

/// Scans everything the request wants into the sink, inside one read transaction. Gives the coarsest tier
/// used.
[[nodiscard]] Result<query::Tier> scan_tiers(Database& database, std::int64_t host,
                                             const query::Request& request, QueryPlan& plan, QuerySink& sink,
                                             const std::stop_token& stop);

}  // namespace countertop::history
