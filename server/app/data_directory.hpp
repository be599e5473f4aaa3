// The directory that holds everything the program writes, and the lock that keeps a second program out of it.
#pragma once

#include <filesystem>
#include <string>

#include "collectors/core/result.hpp"

namespace countertop::app {

/// $XDG_STATE_HOME/countertop, else ~/.local/state/countertop; empty when neither variable is set.
[[nodiscard]] std::filesystem::path default_data_directory();

/// Held from `take` to destruction. The system lets go of it when the process ends, however it ends.
class DirectoryLock {
 public:
  /// Creates the directory (owner only) when it is missing. ErrorCode::busy names the process that holds it.
  [[nodiscard]] static Result<DirectoryLock> take(const std::filesystem::path& directory);

  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  DirectoryLock(const DirectoryLock&) = delete;
  ~DirectoryLock();

 private:
  explicit DirectoryLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

/// Reads DIR/token, or makes one of 256 random bits with access for the owner only.
[[nodiscard]] Result<std::string> read_or_make_token(const std::filesystem::path& directory);

/// 256 random bits as 43 letters of base64url.
[[nodiscard]] std::string random_token();

}  // namespace countertop::app
