// A file whose bytes are part of the program. Filled by the build: see .cmake/embed.cmake.
#pragma once

#include <string_view>

namespace countertop {

struct EmbeddedFile {
  std::string_view path;   // relative to the embedded folder, with '/'
  std::string_view bytes;  // followed by a NUL byte that is not counted
};

}  // namespace countertop
