#include "tests/bench/history/measure.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

namespace countertop::bench {

ScratchDirectory::ScratchDirectory(Place place, std::uint64_t bytes) {
  std::filesystem::path parent = std::filesystem::temp_directory_path();
  std::error_code error;
  const std::filesystem::path memory = "/dev/shm";
  if (place == Place::memory && std::filesystem::space(memory, error).available > bytes && !error)
    parent = memory;
  std::string pattern = (parent / "countertop-bench-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("Cannot make a temporary directory.");
  path_ = pattern;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::uint64_t bytes_below(const std::filesystem::path& directory) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory, error)) {
    if (entry.is_regular_file(error)) bytes += entry.file_size(error);
  }
  return bytes;
}

double best_milliseconds(int runs, const std::function<void()>& run) {
  run();
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < runs; ++i) {
    const Stopwatch watch;
    run();
    best = std::min(best, watch.milliseconds());
  }
  return best;
}

double thread_cpu_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double process_cpu_seconds(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  std::string skipped;
  for (int i = 3; i < 14; ++i) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

void drop_from_cache(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fdatasync(descriptor);
  ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  ::close(descriptor);
}

double in_fresh_process(const std::function<double()>& measure) {
  int pipe_ends[2];
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0) return std::nan("");
  const pid_t child = ::fork();
  if (child == 0) {
    const double value = measure();
    const bool written = ::write(pipe_ends[1], &value, sizeof value) == sizeof value;
    ::_exit(written ? 0 : 1);
  }
  ::close(pipe_ends[1]);
  double value = std::nan("");
  if (child < 0 || ::read(pipe_ends[0], &value, sizeof value) != sizeof value) value = std::nan("");
  ::close(pipe_ends[0]);
  if (child > 0) ::waitpid(child, nullptr, 0);
  return value;
}

}  // namespace countertop::bench
