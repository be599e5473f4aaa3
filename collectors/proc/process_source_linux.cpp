#include "collectors/proc/process_source_linux.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "collectors/proc/process_parser.hpp"
#include "collectors/proc/process_visibility.hpp"

namespace countertop::proc {
namespace {

constexpr std::array<const char*, kProcessFileCount> kFileNames{"stat", "schedstat", "io"};

/// Scans after which the directory is read even if the kernel gave out no new number: a restored process
/// (CRIU) asks for a number of its own, which moves no counter.
constexpr int kScansPerListing = 10;
constexpr rlim_t kWantedDescriptors = 4096;

ReadState state_of(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ESRCH:
      return ReadState::gone;
    case EACCES:
    case EPERM:
      return ReadState::refused;
    default:
      return ReadState::failed;
  }
}

class LinuxProcessSource final : public ProcessSource {
 public:
  LinuxProcessSource(const ProcRoot& root, std::size_t most_descriptors) : paths_(root) {
    most_kept_ = std::min(most_descriptors, descriptors_to_keep());
    units_.ticks_per_second = std::max(1L, ::sysconf(_SC_CLK_TCK));
    units_.page_bytes = std::max(1L, ::sysconf(_SC_PAGESIZE));
  }
  ~LinuxProcessSource() override {
    close_descriptor(loadavg_);
    close_descriptor(root_);
  }

  Result<std::span<const std::int32_t>> list() override;
  FileRead read(std::int32_t pid, ProcessFile file, KeptFiles& kept) override;
  void release(KeptFiles& kept) override;

  [[nodiscard]] ProcessUnits units() const override { return units_; }
  std::optional<std::int64_t> boot_unix_s() override {
    return find_boot_time(read_small(paths_.proc + "/stat"));
  }
  std::int64_t online_cpus() override {
    const auto count = count_cpu_list(read_small(paths_.sys + "/devices/system/cpu/online"));
    return count ? *count : std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN));
  }
  std::vector<Error> blind_spots() override;

 private:
  static std::size_t descriptors_to_keep();
  static void close_descriptor(int& descriptor) {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
  }
  Result<void> open_root();
  bool nobody_was_born();
  bool read_directory();
  std::string_view read_small(const std::string& path);
  std::string link_target(const char* relative) const;
  FileRead fetch(int descriptor);

  const ProcRoot paths_;
  ProcessUnits units_;
  std::size_t most_kept_ = 0;
  std::size_t kept_count_ = 0;
  int root_ = -1;
  int loadavg_ = -1;
  bool is_procfs_ =
      false;  // a directory of plain files knows nothing of ended processes: keep none of them open
  bool own_namespace_ = false;  // the process numbers of this /proc are those we were given ourselves
  int scans_until_listing_ = 0;
  std::int64_t last_number_ = -1;
  std::vector<std::int32_t> pids_;
  std::array<char, 4096> text_{};
  alignas(dirent64) std::array<char, 32768> entries_{};
  std::string small_;
};

std::size_t LinuxProcessSource::descriptors_to_keep() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur < kWantedDescriptors && limit.rlim_max > limit.rlim_cur) {
    rlimit raised = limit;
    raised.rlim_cur = std::min(kWantedDescriptors, limit.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) limit = raised;
  }
  return static_cast<std::size_t>(std::min<rlim_t>(limit.rlim_cur, 1'000'000) / 2);
}

Result<void> LinuxProcessSource::open_root() {
  if (root_ >= 0) return {};
  root_ = ::open(paths_.proc.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (root_ < 0) {
    const int code = errno;
    return fail(state_of(code) == ReadState::refused ? ErrorCode::permission : ErrorCode::unavailable,
                "cannot open " + paths_.proc + ": " + std::strerror(code), {}, code);
  }
  struct statfs file_system{};
  is_procfs_ = ::fstatfs(root_, &file_system) == 0 && file_system.f_type == PROC_SUPER_MAGIC;
  own_namespace_ = is_procfs_ && link_target("self") == std::to_string(::getpid());
  if (own_namespace_) loadavg_ = ::openat(root_, "loadavg", O_RDONLY | O_CLOEXEC);
  return {};
}

Result<std::span<const std::int32_t>> LinuxProcessSource::list() {
  if (auto opened = open_root(); !opened) return tl::unexpected<Error>(opened.error());
  const bool nobody_new = nobody_was_born();
  if (nobody_new && scans_until_listing_ > 0) {
    --scans_until_listing_;
    return std::span<const std::int32_t>(pids_);
  }
  if (!read_directory()) {
    const int code = errno;
    return fail(ErrorCode::io, "cannot list " + paths_.proc + ": " + std::strerror(code), {}, code);
  }
  scans_until_listing_ = kScansPerListing - 1;
  return std::span<const std::int32_t>(pids_);
}

/// The last field of loadavg is the newest process number of our namespace: when it stands still, nobody was
/// born. Read before the directory, so that who is born in between moves it for the next scan.
bool LinuxProcessSource::nobody_was_born() {
  if (loadavg_ < 0) return false;
  const ssize_t size = ::pread(loadavg_, text_.data(), text_.size(), 0);
  const auto number =
      last_process_number({text_.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))});
  const bool same = number.has_value() && *number == last_number_;
  last_number_ = number.value_or(-1);
  return same;
}

bool LinuxProcessSource::read_directory() {
  pids_.clear();
  if (::lseek(root_, 0, SEEK_SET) < 0) return false;
  while (true) {
    const ssize_t size = ::getdents64(root_, entries_.data(), entries_.size());
    if (size < 0) return false;
    if (size == 0) break;
    for (ssize_t at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries_.data() + at);
      at += entry->d_reclen;
      const char* begin = entry->d_name;
      if (*begin < '0' || *begin > '9') continue;
      const char* end = begin + std::strlen(begin);
      std::int32_t pid = 0;
      const auto [stop, error] = std::from_chars(begin, end, pid);
      if (error == std::errc{} && stop == end) pids_.push_back(pid);
    }
  }
  if (!std::ranges::is_sorted(pids_)) std::ranges::sort(pids_);
  return true;
}

FileRead LinuxProcessSource::read(std::int32_t pid, ProcessFile file, KeptFiles& kept) {
  int& descriptor = kept.descriptors[static_cast<std::size_t>(file)];
  if (descriptor >= 0) {
    const FileRead read = fetch(descriptor);
    if (read.state != ReadState::ok) {
      close_descriptor(descriptor);
      --kept_count_;
    }
    return read;
  }
  std::array<char, 32> path{};
  char* end = std::to_chars(path.data(), path.data() + 16, pid).ptr;
  *end++ = '/';
  std::strcpy(end, kFileNames[static_cast<std::size_t>(file)]);
  int opened = ::openat(root_, path.data(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return {state_of(errno), {}};
  const FileRead read = fetch(opened);
  if (read.state == ReadState::ok && is_procfs_ && kept_count_ < most_kept_) {
    descriptor = opened;
    ++kept_count_;
  } else {
    close_descriptor(opened);
  }
  return read;
}

FileRead LinuxProcessSource::fetch(int descriptor) {
  const ssize_t size = ::pread(descriptor, text_.data(), text_.size(), 0);
  if (size < 0) return {state_of(errno), {}};
  return {ReadState::ok, {text_.data(), static_cast<std::size_t>(size)}};
}

void LinuxProcessSource::release(KeptFiles& kept) {
  for (int& descriptor : kept.descriptors) {
    if (descriptor < 0) continue;
    close_descriptor(descriptor);
    --kept_count_;
  }
}

std::vector<Error> LinuxProcessSource::blind_spots() {
  if (!open_root()) return {};
  VisibilityFacts facts;
  facts.numbers_are_ours = link_target("self") == std::to_string(::getpid());
  facts.namespace_link = link_target("self/ns/pid");
  facts.first_process_visible = ::faccessat(root_, "1", F_OK, 0) == 0;
  facts.mountinfo = read_small(paths_.proc + "/self/mountinfo");
  facts.proc_path = paths_.proc;
  return find_blind_spots(facts);
}

/// The whole of a small file; empty when there is none. Valid until the next call.
std::string_view LinuxProcessSource::read_small(const std::string& path) {
  small_.clear();
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  constexpr std::size_t kMost = 4 << 20;
  ssize_t size = 0;
  while (small_.size() < kMost && (size = ::read(descriptor, text_.data(), text_.size())) > 0) {
    small_.append(text_.data(), static_cast<std::size_t>(size));
  }
  close_descriptor(descriptor);
  return small_;
}

std::string LinuxProcessSource::link_target(const char* relative) const {
  std::array<char, 256> target{};
  const ssize_t size = ::readlinkat(root_, relative, target.data(), target.size());
  return size > 0 ? std::string(target.data(), static_cast<std::size_t>(size)) : std::string();
}

}  // namespace

std::unique_ptr<ProcessSource> make_process_source(const ProcRoot& root, std::size_t most_descriptors) {
  return std::make_unique<LinuxProcessSource>(root, most_descriptors);
}

}  // namespace countertop::proc
