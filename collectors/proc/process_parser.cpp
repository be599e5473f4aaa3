#include "collectors/proc/process_parser.hpp"

#include <limits>

namespace countertop::proc {
namespace {

// include/linux/sched.h
constexpr std::int64_t kPfWorkqueueWorker = 0x00000020;
constexpr std::int64_t kPfKernelThread = 0x00200000;

/// No machine has been up for longer: 285 years at 100 ticks per second. In nanoseconds it fits into 63 bits.
constexpr std::int64_t kMostStartTicks = 900'000'000'000;

/// Numbers separated by single blanks. After the first refusal everything is refused.
class NumberRow {
 public:
  explicit NumberRow(std::string_view text) : text_(text) {}

  [[nodiscard]] bool ok() const { return ok_; }

  std::int64_t next() {
    skip_blanks();
    const bool negative = at_ < text_.size() && text_[at_] == '-';
    if (negative) ++at_;
    const std::int64_t magnitude = digits();
    return negative ? -magnitude : magnitude;
  }

  /// Numbers nobody needs, without working them out.
  void skip(int count) {
    for (; count > 0; --count) {
      skip_blanks();
      const std::size_t begin = at_;
      while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '\n') ++at_;
      if (at_ == begin) ok_ = false;
    }
  }

  /// A number at the very end may have been cut short; one followed by a separator has not.
  [[nodiscard]] bool at_separator() const {
    return at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n');
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::int64_t digits() {
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    const std::size_t begin = at_;
    std::int64_t number = 0;
    for (; at_ < text_.size(); ++at_) {
      const auto digit = static_cast<unsigned>(text_[at_] - '0');
      if (digit > 9) break;
      if (number > (kMax - static_cast<std::int64_t>(digit)) / 10) ok_ = false;
      if (!ok_) return 0;
      number = number * 10 + static_cast<std::int64_t>(digit);
    }
    if (at_ == begin) ok_ = false;
    return number;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace

std::optional<ProcessStat> parse_process_stat(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  if (close + 3 >= text.size() || text[close + 1] != ' ' || text[close + 3] != ' ') return std::nullopt;

  ProcessStat stat;
  stat.comm = text.substr(open + 1, close - open - 1);
  stat.state = text[close + 2];
  NumberRow row(text.substr(close + 3));
  row.skip(5);  // ppid, pgrp, session, tty_nr, tpgid
  const std::int64_t flags = row.next();
  stat.kernel_thread = (flags & kPfKernelThread) != 0;
  stat.workqueue_worker = (flags & kPfWorkqueueWorker) != 0;
  stat.minor_faults = row.next();
  row.skip(1);  // cminflt
  stat.major_faults = row.next();
  row.skip(1);  // cmajflt
  stat.user_ticks = row.next();
  stat.system_ticks = row.next();
  row.skip(4);  // cutime, cstime, priority, nice
  stat.threads = row.next();
  row.skip(1);  // itrealvalue
  stat.start_ticks = row.next();
  stat.virtual_bytes = row.next();
  stat.resident_pages = row.next();
  if (!row.ok() || !row.at_separator()) return std::nullopt;
  if (stat.start_ticks < 0 || stat.start_ticks > kMostStartTicks) return std::nullopt;
  return stat;
}

std::optional<ProcessSchedule> parse_process_schedule(std::string_view text) {
  NumberRow row(text);
  ProcessSchedule schedule;
  schedule.run_ns = row.next();
  row.skip(1);  // time spent waiting for a CPU
  schedule.runs = row.next();
  if (!row.ok() || !row.at_separator()) return std::nullopt;
  return schedule;
}

std::optional<ProcessIo> parse_process_io(std::string_view text) {
  constexpr std::string_view kRead = "read_bytes: ";
  constexpr std::string_view kWrite = "write_bytes: ";
  ProcessIo io;
  bool has_read = false, has_write = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;  // an unfinished line
    const std::string_view line = text.substr(0, end + 1);
    text.remove_prefix(end + 1);
    const bool is_read = line.starts_with(kRead);
    if (!is_read && !line.starts_with(kWrite)) continue;
    NumberRow row(line.substr(is_read ? kRead.size() : kWrite.size()));
    (is_read ? io.read_bytes : io.write_bytes) = row.next();
    if (!row.ok() || !row.at_separator()) return std::nullopt;
    (is_read ? has_read : has_write) = true;
  }
  if (!has_read || !has_write) return std::nullopt;
  return io;
}

std::optional<std::int64_t> count_cpu_list(std::string_view text) {
  constexpr std::int64_t kMostCpus = 1 << 20;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  std::int64_t count = 0;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    const std::size_t dash = part.find('-');
    const auto number = [](std::string_view digits) -> std::int64_t {
      std::int64_t value = digits.empty() ? -1 : 0;
      for (const char character : digits) {
        if (character < '0' || character > '9' || value < 0 || value > kMostCpus) return -1;
        value = value * 10 + (character - '0');
      }
      return value;
    };
    const std::int64_t first = number(part.substr(0, dash));
    const std::int64_t last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
    if (first < 0 || last < first || last > kMostCpus) return std::nullopt;
    count += last - first + 1;
    if (comma == std::string_view::npos) return count;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace countertop::proc
