#pragma once

#include <span>

#include "collectors/core/embedded_file.hpp"

namespace countertop::embedded {

/// openapi.json and docs.css; made by the build out of this folder.
[[nodiscard]] std::span<const EmbeddedFile> api_files();

}  // namespace countertop::embedded
