// The object `filesystem`: how full the mounted file systems are. On a thread of its own, since a disk that
// does not answer holds up whoever asks.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collectors/core/collector.hpp"
#include "collectors/proc/file_tree.hpp"
#include "collectors/proc/mount_parser.hpp"

namespace countertop::proc {

/// What statvfs tells.
struct FilesystemUse {
  std::int64_t block_bytes = 0;
  std::int64_t blocks = 0;
  std::int64_t blocks_free = 0;
  std::int64_t blocks_available = 0;  // to those who are not root
  std::int64_t inodes = 0;            // 0 where the file system makes them as needed
  std::int64_t inodes_free = 0;
};

class FilesystemSource {
 public:
  FilesystemSource() = default;
  FilesystemSource(const FilesystemSource&) = delete;
  FilesystemSource& operator=(const FilesystemSource&) = delete;
  virtual ~FilesystemSource() = default;

  /// May take for ever.
  [[nodiscard]] virtual Result<FilesystemUse> use(const std::string& mount_point) = 0;
};

struct FilesystemOptions {
  std::string mounts = "self/mountinfo";  // below the proc tree
  bool with_network = false;              // also those that may not answer
};

[[nodiscard]] ObjectHandle make_filesystem_object();

class FilesystemCollector final : public Collector {
 public:
  FilesystemCollector(std::unique_ptr<FileTree> files, std::unique_ptr<FilesystemSource> source,
                      FilesystemOptions options);

  [[nodiscard]] std::string_view name() const override { return "filesystem"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override { return {object_}; }
  [[nodiscard]] Result<Collected> collect(const Clock& clock) override;

 private:
  Result<void> refresh_mounts();

  const ObjectHandle object_;
  const std::unique_ptr<FileTree> files_;
  const std::unique_ptr<FilesystemSource> source_;
  const FilesystemOptions options_;
  std::vector<Mount> mounts_;
  std::vector<Error> notes_;  // about the list of mounts, repeated until it is read again
  std::uint32_t until_refresh_ = 0;
};

}  // namespace countertop::proc
