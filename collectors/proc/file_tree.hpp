// The two trees of kernel files that the collectors read; tests put a tree of their own in their place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/result.hpp"

namespace countertop::proc {

enum class Tree : std::uint8_t { proc, sys };

/// Not thread safe: each collector has its own.
class FileTree {
 public:
  FileTree() = default;
  FileTree(const FileTree&) = delete;
  FileTree& operator=(const FileTree&) = delete;
  virtual ~FileTree() = default;

  /// Everything that a file says now; `path` is relative to the tree. The file stays open between calls. The
  /// bytes are valid until the next call of this object. ErrorCode::not_found, permission, unavailable (the
  /// kernel says that it does not support this), too_large or io.
  [[nodiscard]] virtual Result<std::string_view> read(Tree tree, std::string_view path) = 0;
  /// The same for files that are read seldom: nothing stays open.
  [[nodiscard]] virtual Result<std::string_view> read_once(Tree tree, std::string_view path) = 0;
  /// Names in a folder, sorted, without "." and "..".
  [[nodiscard]] virtual Result<std::vector<std::string>> list(Tree tree, std::string_view path) = 0;
  /// Where a symbolic link points to.
  [[nodiscard]] virtual Result<std::string> link_target(Tree tree, std::string_view path) = 0;
};

/// The problem of a table with lines that are in no row; `file` as "/proc/diskstats".
[[nodiscard]] inline Error not_understood(std::string_view file, std::size_t lines) {
  return {ErrorCode::malformed,
          std::string(file) + ": " + std::to_string(lines) + " lines not understood",
          {},
          0};
}

}  // namespace countertop::proc
