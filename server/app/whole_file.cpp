#include "server/app/whole_file.hpp"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

namespace countertop::app {

Result<std::string> read_whole_file(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    return fail(ErrorCode::invalid_argument, file.string() + " is a directory, not a file.");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    return fail(ErrorCode::not_found,
                file.string() + " cannot be opened: " + std::generic_category().message(errno) + ".",
                "Check its name and rights.", errno);
  }
  std::ostringstream text;
  if (stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (stream.bad() || text.fail()) return fail(ErrorCode::io, file.string() + " cannot be read to its end.");
  return std::move(text).str();
}

}  // namespace countertop::app
