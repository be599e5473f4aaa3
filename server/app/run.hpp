#pragma once

#include <string>
#include <vector>

namespace countertop::app {

/// The program behind main. Exit code: 0 ended in order, 1 could not run, 2 wrong usage or settings.
[[nodiscard]] int run(const std::vector<std::string>& arguments);

}  // namespace countertop::app
