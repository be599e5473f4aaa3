// Tells whether a path still leads to the file that was opened.
#pragma once

#include <cstdint>
#include <filesystem>

namespace countertop::history {

/// Differs after the file was replaced by another one; 0 when there is none.
[[nodiscard]] std::uint64_t file_identity(const std::filesystem::path& file);

}  // namespace countertop::history
