#include "collectors/proc/filesystem_source_linux.hpp"

#include <sys/statvfs.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace countertop::proc {

LinuxFilesystemSource::LinuxFilesystemSource(std::string prefix) : prefix_(std::move(prefix)) {}

Result<FilesystemUse> LinuxFilesystemSource::use(const std::string& mount_point) {
  const std::string path = prefix_ + mount_point;
  struct statvfs told{};
  if (::statvfs(path.c_str(), &told) != 0) {
    const int refusal = errno;
    const ErrorCode code = refusal == ENOENT || refusal == ENOTDIR ? ErrorCode::not_found
                           : refusal == EACCES || refusal == EPERM ? ErrorCode::permission
                                                                   : ErrorCode::io;
    return fail(code, path + ": " + std::generic_category().message(refusal), {}, refusal);
  }
  FilesystemUse use;
  use.block_bytes = static_cast<std::int64_t>(told.f_frsize != 0 ? told.f_frsize : told.f_bsize);
  use.blocks = static_cast<std::int64_t>(told.f_blocks);
  use.blocks_free = static_cast<std::int64_t>(told.f_bfree);
  use.blocks_available = static_cast<std::int64_t>(told.f_bavail);
  use.inodes = static_cast<std::int64_t>(told.f_files);
  use.inodes_free = static_cast<std::int64_t>(told.f_ffree);
  return use;
}

}  // namespace countertop::proc
