#include "collectors/proc/process_visibility.hpp"

#include "collectors/proc/host_view.hpp"
#include "collectors/proc/mount_parser.hpp"
#include "collectors/proc/text_scan.hpp"

namespace countertop::proc {
namespace {

std::optional<std::int64_t> whole_number(std::string_view digits) {
  const auto number = parse_number(digits);
  return number && *number >= 0 ? number : std::nullopt;
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
  while (const auto line = take_whole_line(proc_stat))
    if (line->starts_with(kKey)) return whole_number(line->substr(kKey.size()));
  return std::nullopt;
}

std::string hidepid_option(std::string_view mountinfo, std::string_view proc_path) {
  std::vector<Mount> mounts;
  parse_mounts(mountinfo, mounts);
  std::string found;
  for (const Mount& mount : mounts) {
    if (mount.mount_point != proc_path) continue;
    found.clear();  // the last mount at a place is the one that is seen
    std::string_view options = mount.options;
    while (!options.empty()) {
      std::string_view option = take_until(options, ',');
      if (take_until(option, '=') == "hidepid") found = option;
    }
  }
  return found;
}

std::vector<Error> find_blind_spots(const VisibilityFacts& facts) {
  std::vector<Error> problems;
  const auto pids = parse_namespace(facts.namespace_link);
  if (facts.numbers_are_ours && pids && *pids != kFirstPidNamespace) {
    problems.push_back(
        {ErrorCode::unavailable, "only the processes of this container are visible, not the host's",
         "start the container with --pid=host, or mount the host's /proc into it and name that place", 0});
  }
  if (facts.first_process_visible) return problems;
  const std::string hidepid = hidepid_option(facts.mountinfo, facts.proc_path);
  if (!hidepid.empty() && hidepid != "0" && hidepid != "off") {
    problems.push_back({ErrorCode::permission,
                        std::string(facts.proc_path) + " is mounted with hidepid=" + hidepid +
                            ": only own processes are visible",
                        "run as root, or: sudo mount -o remount,hidepid=0 " + std::string(facts.proc_path),
                        0});
  }
  return problems;
}

}  // namespace countertop::proc
