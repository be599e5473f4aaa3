// `countertop serve`: everything put together, run, and taken apart in order.
#pragma once

#include "collectors/core/result.hpp"
#include "server/app/settings.hpp"

namespace countertop::app {

/// Returns when a stop signal came and everything is on disk. Signals must be held (stop_signals.hpp).
[[nodiscard]] Result<void> serve(const Settings& settings);

}  // namespace countertop::app
