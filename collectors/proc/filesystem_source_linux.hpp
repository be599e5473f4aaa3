// Asks the kernel with statvfs.
#pragma once

#include <string>

#include "collectors/proc/filesystem_collector.hpp"

namespace countertop::proc {

class LinuxFilesystemSource final : public FilesystemSource {
 public:
  /// `prefix` goes in front of every mount point (ProcRoot::filesystem).
  explicit LinuxFilesystemSource(std::string prefix);
  [[nodiscard]] Result<FilesystemUse> use(const std::string& mount_point) override;

 private:
  const std::string prefix_;
};

}  // namespace countertop::proc
