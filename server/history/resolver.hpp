// From counter paths to a plan: which instances have to be read for which series.
#pragma once

#include "collectors/core/result.hpp"
#include "server/history/catalog.hpp"
#include "server/history/series_plan.hpp"
#include "server/query/model.hpp"

namespace countertop::history {

/// `catalog` must be fresh. Errors: not_found (host, object, counter), invalid_argument, too_large
/// (max_series).
[[nodiscard]] Result<QueryPlan> resolve(Catalog& catalog, const query::Request& request);

}  // namespace countertop::history
