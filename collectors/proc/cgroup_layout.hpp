// Where the files of our own control group are: version 1, version 2, or both side by side. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countertop::proc {

/// One line of /proc/self/cgroup: "4:memory:/docker/ab12", or "0::/user.slice" of version 2. Points into the
/// text.
struct CgroupMembership {
  std::string_view controllers;  // with commas between; empty for version 2
  std::string_view path;
};
[[nodiscard]] std::vector<CgroupMembership> parse_cgroup_membership(std::string_view text);

struct CgroupMount {
  bool version_2 = false;
  std::string root;  // the part of the hierarchy that is mounted
  std::string mount_point;
  std::string controllers;  // options of the file system, with commas between
};
/// The mounts of control groups in /proc/self/mountinfo (proc_pid_mountinfo(5)).
[[nodiscard]] std::vector<CgroupMount> parse_cgroup_mounts(std::string_view mountinfo);

enum class CgroupVersion : std::uint8_t { none, v1, v2 };

/// A controller's folder: below /sys, without a slash at either end.
struct CgroupPlace {
  CgroupVersion version = CgroupVersion::none;
  std::string mount;  // "fs/cgroup/memory"
  std::string group;  // "docker/ab12"; empty for the top of what is mounted
};

struct CgroupLayout {
  CgroupPlace memory, cpu, cpuacct, pids;

  [[nodiscard]] bool empty() const;
};

/// A version-1 hierarchy that has the controller goes before the common one of version 2. Where the group's
/// path does not lie in what is mounted (a container that sees its own group as the top) the top of the mount
/// stands for it.
[[nodiscard]] CgroupLayout find_cgroup_layout(std::string_view membership, std::string_view mountinfo);

/// Folders from the group up to the top of the mount; the group's own comes first.
[[nodiscard]] std::vector<std::string> folders_upward(const CgroupPlace& place);

/// kNoValue for -1 and for the page-rounded largest number with which version 1 says that there is no limit.
[[nodiscard]] std::int64_t limit_or_none(std::int64_t value);

/// A limit as the kernel writes it: "max" or a number as above. nullopt for other text.
[[nodiscard]] std::optional<std::int64_t> parse_cgroup_limit(std::string_view text);

/// cpu.max ("150000 100000") in thousandths of a CPU; kNoValue for "max 100000".
[[nodiscard]] std::optional<std::int64_t> parse_cpu_max(std::string_view text);

/// Quota and period of version 1 in thousandths of a CPU; kNoValue without a quota.
[[nodiscard]] std::int64_t cpu_limit_of(std::int64_t quota_us, std::int64_t period_us);

/// The stricter of two limits, either of which may be kNoValue.
[[nodiscard]] std::int64_t stricter_limit(std::int64_t one, std::int64_t other);

}  // namespace countertop::proc
