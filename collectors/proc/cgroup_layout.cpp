#include "collectors/proc/cgroup_layout.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "collectors/core/object.hpp"
#include "collectors/proc/mount_parser.hpp"
#include "collectors/proc/text_scan.hpp"

namespace countertop::proc {
namespace {

/// No machine has this much; version 1 writes the largest number rounded down to its page size.
constexpr std::int64_t kSmallestNoLimit = std::int64_t{1} << 60;
constexpr std::int64_t kLongestPeriodUs = 1'000'000'000;

bool has_part(std::string_view list, std::string_view wanted) {
  while (!list.empty())
    if (take_until(list, ',') == wanted) return true;
  return false;
}

std::string_view without_slashes(std::string_view path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

/// `path` below `root`; empty when it does not lie there.
std::string_view below(std::string_view path, std::string_view root) {
  path = without_slashes(path);
  root = without_slashes(root);
  // A group outside of our own namespace is written with "..": where it is cannot be told from here.
  if (path.starts_with("..") || root.starts_with("..") || path.find("/..") != std::string_view::npos)
    return {};
  if (root.empty()) return path;
  if (!path.starts_with(root)) return {};
  path.remove_prefix(root.size());
  return path.starts_with('/') ? without_slashes(path) : std::string_view();
}

CgroupPlace find_place(const std::vector<CgroupMembership>& memberships,
                       const std::vector<CgroupMount>& mounts, std::string_view controller,
                       CgroupVersion version) {
  constexpr std::string_view kSys = "/sys/";
  const bool second = version == CgroupVersion::v2;
  const auto membership = std::ranges::find_if(memberships, [&](const CgroupMembership& one) {
    return second ? one.controllers.empty() : has_part(one.controllers, controller);
  });
  if (membership == memberships.end()) return {};
  const auto mount = std::ranges::find_if(mounts, [&](const CgroupMount& one) {
    return one.version_2 == second && one.mount_point.starts_with(kSys) &&
           (second || has_part(one.controllers, controller));
  });
  if (mount == mounts.end()) return {};
  return {version, std::string(without_slashes(std::string_view(mount->mount_point).substr(kSys.size()))),
          std::string(below(membership->path, mount->root))};
}

}  // namespace

std::vector<CgroupMembership> parse_cgroup_membership(std::string_view text) {
  std::vector<CgroupMembership> memberships;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    const std::string_view number = take_until(line, ':');
    const std::size_t colon = line.find(':');
    if (!parse_number(number) || colon == std::string_view::npos) continue;
    memberships.push_back({line.substr(0, colon), line.substr(colon + 1)});
  }
  return memberships;
}

std::vector<CgroupMount> parse_cgroup_mounts(std::string_view mountinfo) {
  std::vector<Mount> mounts;
  parse_mounts(mountinfo, mounts);
  std::vector<CgroupMount> groups;
  for (Mount& mount : mounts) {
    if (mount.type != "cgroup" && mount.type != "cgroup2") continue;
    groups.push_back({mount.type == "cgroup2", std::move(mount.root), std::move(mount.mount_point),
                      std::move(mount.options)});
  }
  return groups;
}

bool CgroupLayout::empty() const {
  return std::ranges::all_of(std::array{&memory, &cpu, &cpuacct, &pids},
                             [](const CgroupPlace* place) { return place->version == CgroupVersion::none; });
}

CgroupLayout find_cgroup_layout(std::string_view membership, std::string_view mountinfo) {
  const auto memberships = parse_cgroup_membership(membership);
  const auto mounts = parse_cgroup_mounts(mountinfo);
  const auto find = [&](std::string_view controller) {
    CgroupPlace place = find_place(memberships, mounts, controller, CgroupVersion::v1);
    if (place.version == CgroupVersion::none)
      place = find_place(memberships, mounts, controller, CgroupVersion::v2);
    return place;
  };
  return {find("memory"), find("cpu"), find("cpuacct"), find("pids")};
}

std::vector<std::string> folders_upward(const CgroupPlace& place) {
  std::vector<std::string> folders;
  std::string_view group = place.group;
  while (!group.empty()) {
    folders.push_back(place.mount + '/' + std::string(group));
    const std::size_t slash = group.rfind('/');
    group = slash == std::string_view::npos ? std::string_view() : group.substr(0, slash);
  }
  folders.push_back(place.mount);
  return folders;
}

std::int64_t limit_or_none(std::int64_t value) {
  return value < 0 || value >= kSmallestNoLimit ? kNoValue : value;
}

std::optional<std::int64_t> parse_cgroup_limit(std::string_view text) {
  text = trim(text);
  if (text == "max") return kNoValue;
  const auto number = parse_number(text);
  return number ? std::optional(limit_or_none(*number)) : std::nullopt;
}

std::optional<std::int64_t> parse_cpu_max(std::string_view text) {
  text = trim(text);
  const std::string_view quota = take_word(text);
  const auto period = take_number(text);
  if (!period || *period <= 0) return std::nullopt;
  if (quota == "max") return kNoValue;
  const auto number = parse_number(quota);
  return number ? std::optional(cpu_limit_of(*number, *period)) : std::nullopt;
}

std::int64_t cpu_limit_of(std::int64_t quota_us, std::int64_t period_us) {
  if (quota_us < 0 || quota_us >= kSmallestNoLimit / 1000 || period_us <= 0 || period_us > kLongestPeriodUs)
    return kNoValue;
  return quota_us * 1000 / period_us;
}

std::int64_t stricter_limit(std::int64_t one, std::int64_t other) {
  if (one == kNoValue) return other;
  return other == kNoValue ? one : std::min(one, other);
}

}  // namespace countertop::proc
