#include "collectors/proc/stat_parser.hpp"

#include <optional>

#include "collectors/proc/text_scan.hpp"

namespace countertop::proc {
namespace {

constexpr std::int64_t kLargestCpuNumber = 1 << 20;
constexpr std::size_t kFewestColumns = 4;  // user, nice, system, idle: there since Linux 1.0

/// The number behind "cpu"; the line with all CPUs has none.
std::optional<std::int32_t> parse_cpu_number(std::string_view digits) {
  if (digits.empty()) return kAllCpus;
  const auto number = parse_number(digits);
  if (!number || *number < 0 || *number > kLargestCpuNumber) return std::nullopt;
  return static_cast<std::int32_t>(*number);
}

bool parse_ticks(std::string_view columns, CpuRow& row) {
  std::size_t count = 0;
  for (; count < kCpuFieldCount; ++count) {
    const std::string_view word = take_word(columns);
    if (word.empty()) break;
    const auto ticks = parse_number(word);
    if (!ticks) return false;
    row.ticks[count] = *ticks;
  }
  return count >= kFewestColumns;
}

void parse_cpu_line(std::string_view name, std::string_view columns, StatFile& out) {
  CpuRow row;
  const auto number = parse_cpu_number(name.substr(3));
  const bool in_order = number && (out.cpus.empty() || *number > out.cpus.back().number);
  if (!in_order || !parse_ticks(columns, row)) {
    ++out.malformed;
    return;
  }
  row.number = *number;
  out.cpus.push_back(row);
}

}  // namespace

void parse_stat(std::string_view text, StatFile& out) {
  out.cpus.clear();
  out.interrupts = out.soft_interrupts = out.context_switches = kNoValue;
  out.forks = out.running = out.blocked = kNoValue;
  out.malformed = 0;

  while (auto line = take_whole_line(text)) {
    const std::string_view name = take_word(*line);
    if (name.starts_with("cpu")) {
      parse_cpu_line(name, *line, out);
      continue;
    }
    std::int64_t* const target = name == "intr"            ? &out.interrupts
                                 : name == "softirq"       ? &out.soft_interrupts
                                 : name == "ctxt"          ? &out.context_switches
                                 : name == "processes"     ? &out.forks
                                 : name == "procs_running" ? &out.running
                                 : name == "procs_blocked" ? &out.blocked
                                                           : nullptr;
    if (target != nullptr) *target = take_number(*line).value_or(kNoValue);
  }
}

}  // namespace countertop::proc
