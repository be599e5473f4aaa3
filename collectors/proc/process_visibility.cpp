#include "collectors/proc/process_visibility.hpp"

#include <charconv>

namespace countertop::proc {
namespace {

/// PROC_PID_INIT_INO of include/linux/proc_ns.h.
constexpr std::string_view kFirstNamespace = "pid:[4026531836]";

std::optional<std::int64_t> whole_number(std::string_view digits) {
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || stop != digits.data() + digits.size() || value < 0) return std::nullopt;
  return value;
}

std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return head;
}

}  // namespace

std::optional<std::int64_t> last_process_number(std::string_view loadavg) {
  if (loadavg.empty() || loadavg.back() != '\n') return std::nullopt;
  loadavg.remove_suffix(1);
  const std::size_t blank = loadavg.rfind(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  return whole_number(loadavg.substr(blank + 1));
}

std::optional<std::int64_t> find_boot_time(std::string_view proc_stat) {
  constexpr std::string_view kKey = "btime ";
  while (!proc_stat.empty()) {
    const std::string_view line = take_until(proc_stat, '\n');
    if (line.starts_with(kKey)) return whole_number(line.substr(kKey.size()));
  }
  return std::nullopt;
}

std::string hidepid_option(std::string_view mountinfo, std::string_view proc_path) {
  std::string found;
  while (!mountinfo.empty()) {
    std::string_view line = take_until(mountinfo, '\n');
    for (int field = 0; field < 4; ++field) take_until(line, ' ');
    if (take_until(line, ' ') != proc_path) continue;
    const std::size_t separator = line.find(" - ");
    if (separator == std::string_view::npos) continue;
    line.remove_prefix(separator + 3);
    take_until(line, ' ');  // file system
    take_until(line, ' ');  // device
    found.clear();          // the last mount at a place is the one that is seen
    while (!line.empty()) {
      std::string_view option = take_until(line, ',');
      if (take_until(option, '=') == "hidepid") found = option;
    }
  }
  return found;
}

std::vector<Error> find_blind_spots(const VisibilityFacts& facts) {
  std::vector<Error> problems;
  if (facts.numbers_are_ours && facts.namespace_link.starts_with("pid:[") &&
      facts.namespace_link != kFirstNamespace) {
    problems.push_back(
        {ErrorCode::unavailable, "only the processes of this container are visible, not the host's",
         "start the container with --pid=host, or mount the host's /proc into it and name that place", 0});
  }
  const std::string hidepid = hidepid_option(facts.mountinfo, facts.proc_path);
  if (!facts.first_process_visible && !hidepid.empty() && hidepid != "0" && hidepid != "off") {
    problems.push_back({ErrorCode::permission,
                        std::string(facts.proc_path) + " is mounted with hidepid=" + hidepid +
                            ": only own processes are visible",
                        "run as root, or: sudo mount -o remount,hidepid=0 " + std::string(facts.proc_path),
                        0});
  }
  return problems;
}

}  // namespace countertop::proc
