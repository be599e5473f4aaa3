#include "collectors/proc/file_tree_linux.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <memory>
#include <system_error>
#include <utility>

namespace countertop::proc {
namespace {

constexpr std::size_t kFirstBuffer = 64 * 1024;
constexpr std::size_t kLargestFile = 16 * 1024 * 1024;

ErrorCode code_of(int os_code) {
  switch (os_code) {
    case ENOENT:
    case ENOTDIR:
      return ErrorCode::not_found;
    case EACCES:
    case EPERM:
      return ErrorCode::permission;
    case EOPNOTSUPP:
    case ENODEV:
    case ENXIO:
    case ENODATA:
      return ErrorCode::unavailable;
    case EFBIG:
      return ErrorCode::too_large;
    default:
      return ErrorCode::io;
  }
}

tl::unexpected<Error> refuse(const std::string& path, int os_code) {
  return fail(code_of(os_code), path + ": " + std::generic_category().message(os_code), {}, os_code);
}

int open_file(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

}  // namespace

LinuxFileTree::LinuxFileTree(ProcRoot root) : root_(std::move(root)), buffer_(kFirstBuffer, '\0') {}

LinuxFileTree::~LinuxFileTree() {
  for (const Descriptors& tree : open_)
    for (const auto& [path, descriptor] : tree) ::close(descriptor);
}

std::string LinuxFileTree::full_path(Tree tree, std::string_view path) const {
  std::string full = tree == Tree::proc ? root_.proc : root_.sys;
  full += '/';
  full += path;
  return full;
}

/// 0, or the errno. Files of /proc come in pieces of about a page, so that only an empty piece is the end.
int LinuxFileTree::pread_all(int descriptor, std::size_t& size) {
  size = 0;
  while (true) {
    if (size == buffer_.size()) {
      if (size >= kLargestFile) return EFBIG;
      buffer_.resize(size * 2);
    }
    const ssize_t got =
        ::pread(descriptor, buffer_.data() + size, buffer_.size() - size, static_cast<off_t>(size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return 0;
    size += static_cast<std::size_t>(got);
  }
}

Result<std::string_view> LinuxFileTree::read(Tree tree, std::string_view path) {
  Descriptors& open = open_[static_cast<std::size_t>(tree)];
  std::size_t size = 0;
  if (const auto kept = open.find(path); kept != open.end()) {
    // An empty or refused file may be one of a device or process that is gone: whoever has the name now is
    // asked.
    if (pread_all(kept->second, size) == 0 && size > 0) return std::string_view(buffer_.data(), size);
    ::close(kept->second);
    open.erase(kept);
  }
  const std::string full = full_path(tree, path);
  const int descriptor = open_file(full);
  if (descriptor < 0) return refuse(full, errno);
  if (const int refusal = pread_all(descriptor, size); refusal != 0) {
    ::close(descriptor);
    return refuse(full, refusal);
  }
  open.emplace(path, descriptor);
  return std::string_view(buffer_.data(), size);
}

Result<std::string_view> LinuxFileTree::read_once(Tree tree, std::string_view path) {
  const std::string full = full_path(tree, path);
  const int descriptor = open_file(full);
  if (descriptor < 0) return refuse(full, errno);
  std::size_t size = 0;
  const int refusal = pread_all(descriptor, size);
  ::close(descriptor);
  if (refusal != 0) return refuse(full, refusal);
  return std::string_view(buffer_.data(), size);
}

Result<std::vector<std::string>> LinuxFileTree::list(Tree tree, std::string_view path) {
  const std::string full = full_path(tree, path);
  const auto close_folder = [](DIR* folder) { ::closedir(folder); };
  const std::unique_ptr<DIR, decltype(close_folder)> folder(::opendir(full.c_str()), close_folder);
  if (!folder) return refuse(full, errno);
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(folder.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::ranges::sort(names);
  return names;
}

Result<std::string> LinuxFileTree::link_target(Tree tree, std::string_view path) {
  const std::string full = full_path(tree, path);
  std::array<char, PATH_MAX> target{};
  const ssize_t length = ::readlink(full.c_str(), target.data(), target.size());
  if (length < 0) return refuse(full, errno);
  return std::string(target.data(), static_cast<std::size_t>(length));
}

}  // namespace countertop::proc
