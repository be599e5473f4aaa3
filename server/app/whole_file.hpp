// Files that people name on the command line.
#pragma once

#include <filesystem>
#include <string>

#include "collectors/core/result.hpp"

namespace countertop::app {

/// Everything in the file. The error names it: not_found where it cannot be opened, invalid_argument for a
/// folder, io where reading fails.
[[nodiscard]] Result<std::string> read_whole_file(const std::filesystem::path& file);

}  // namespace countertop::app
