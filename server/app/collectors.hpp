// The collectors of this system.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collectors/core/collector.hpp"
#include "server/api/services.hpp"
#include "server/app/settings.hpp"

namespace countertop::app {

/// All there are, without those that the settings turn off. Fails when a name in collect.off is none of them.
[[nodiscard]] Result<std::vector<std::unique_ptr<Collector>>> make_collectors(const Settings& settings);

/// Whose numbers these are, for /status: "host", or a sentence on what a container hides.
[[nodiscard]] std::string describe_view(const Settings& settings);
/// What the program may not read, what that costs and which command grants it.
[[nodiscard]] std::vector<api::MissingRight> missing_rights(const Settings& settings);

}  // namespace countertop::app
