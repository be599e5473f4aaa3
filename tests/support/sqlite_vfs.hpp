// An SQLite file system on top of the real one, with a disk that can be full and a count of what reaches the
// platter.
#pragma once

#include <atomic>
#include <cstdint>

namespace countertop::test {

/// Becomes SQLite's default while it lives. One at a time.
class TestVfs {
 public:
  TestVfs();
  ~TestVfs();
  TestVfs(const TestVfs&) = delete;
  TestVfs& operator=(const TestVfs&) = delete;

  /// While set, whatever would make a file longer fails as on a full disk.
  static std::atomic<bool> is_full;
  static std::atomic<std::int64_t> wal_syncs;
  static std::atomic<std::int64_t> bytes_written;
};

}  // namespace countertop::test
