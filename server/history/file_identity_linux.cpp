#include <sys/stat.h>

#include "server/history/file_identity.hpp"

namespace countertop::history {

std::uint64_t file_identity(const std::filesystem::path& file) {
  struct stat status{};
  if (stat(file.c_str(), &status) != 0) return 0;
  // The device rarely changes under one path; mixing it in costs nothing.
  return static_cast<std::uint64_t>(status.st_ino) ^ (static_cast<std::uint64_t>(status.st_dev) << 40) ^ 1;
}

}  // namespace countertop::history
