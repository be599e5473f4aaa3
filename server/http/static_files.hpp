// The page's files, which are part of the program.
#pragma once

#include <span>

#include "collectors/core/embedded_file.hpp"
#include "server/api/api.hpp"

namespace countertop::http {

/// Files under their own path; names with a hash may be kept for ever, others are asked for again. The
/// addresses of the page's views give index.html. `files` must live as long as the program.
[[nodiscard]] api::Pages make_pages(std::span<const EmbeddedFile> files);

[[nodiscard]] std::string_view media_type_of(std::string_view path);
/// "app-0123456789.js": a dash and at least eight hexadecimal digits in front of the ending.
[[nodiscard]] bool has_hash(std::string_view path);

}  // namespace countertop::http

namespace countertop::embedded {

/// web/dist, made by the build.
[[nodiscard]] std::span<const EmbeddedFile> page_files();

}  // namespace countertop::embedded
