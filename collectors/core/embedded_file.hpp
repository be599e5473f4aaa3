// A file that is part of the program: the page, migrations, the description of the API.
#pragma once

#include <string_view>

namespace countertop {

/// Both views live as long as the program.
struct EmbeddedFile {
  std::string_view path;   // relative, with forward slashes: "index.html"
  std::string_view bytes;
};

}  // namespace countertop
