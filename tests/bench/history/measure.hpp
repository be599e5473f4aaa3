// Time, temporary directories, sizes on disk and cold caches.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>

namespace countertop::bench {

/// A directory of its own below the system's one for temporary files; gone with the object.
class ScratchDirectory {
 public:
  enum class Place : std::uint8_t {
    disk,
    memory,  // where the system has such a file system with `bytes` free, else on disk
  };
  explicit ScratchDirectory(Place place = Place::disk, std::uint64_t bytes = 0);
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Sizes of all files below `directory`.
[[nodiscard]] std::uint64_t bytes_below(const std::filesystem::path& directory);

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  [[nodiscard]] double milliseconds() const { return seconds() * 1e3; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Shortest of several runs, after one that does not count.
[[nodiscard]] double best_milliseconds(int runs, const std::function<void()>& run);

/// CPU seconds of this thread so far, user and kernel.
[[nodiscard]] double thread_cpu_seconds();
/// CPU seconds of another process and all its threads so far; 0 when it is gone.
[[nodiscard]] double process_cpu_seconds(int process);

/// Lets the kernel forget the file's contents.
void drop_from_cache(const std::filesystem::path& file);

/// Runs `measure` in a new process and returns what it returned; NaN when that process failed.
[[nodiscard]] double in_fresh_process(const std::function<double()>& measure);

}  // namespace countertop::bench
