#include "collectors/proc/host_view.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "collectors/proc/mount_parser.hpp"
#include "collectors/proc/text_scan.hpp"

namespace countertop::proc {
namespace {

/// NET_NS_INIT_INO of include/uapi/linux/nsfs.h, since Linux 6.18; before that the number is none in
/// particular.
constexpr std::int64_t kFirstNetworkNamespace = 0xEFFFFFF9;

/// How many PID namespaces deep we are, seen from the proc tree: more than one means that it belongs to one
/// further out.
std::size_t namespace_depth(std::string_view status) {
  constexpr std::string_view kName = "NSpid:";
  while (const auto line = take_whole_line(status)) {
    if (!line->starts_with(kName)) continue;
    std::string_view numbers = line->substr(kName.size());
    std::size_t depth = 0;
    while (!take_word(numbers).empty()) ++depth;
    return depth;
  }
  return 0;
}

struct OwnMounts {
  bool overlay_root = false;
  bool lxcfs = false;
};

OwnMounts look_at_mounts(std::string_view mountinfo) {
  OwnMounts found;
  std::vector<Mount> mounts;
  parse_mounts(mountinfo, mounts);
  for (const Mount& mount : mounts) {
    if (mount.mount_point == "/")
      found.overlay_root = mount.type == "overlay" || mount.type == "fuse.fuse-overlayfs";
    if (mount.type == "fuse.lxcfs" && mount.mount_point.starts_with("/proc/")) found.lxcfs = true;
  }
  return found;
}

/// Which engine the control groups or files of engines name.
std::string name_engine(const HostEvidence& evidence) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kInCgroup = {
      {{"kubepods", "kubernetes"},
       {"/docker", "docker"},
       {"docker-", "docker"},
       {"libpod", "podman"},
       {"/lxc", "lxc"},
       {"containerd", "containerd"}}};
  for (const auto& [part, engine] : kInCgroup)
    if (evidence.cgroup.find(part) != std::string::npos) return std::string(engine);
  if (!evidence.container_variable.empty()) return evidence.container_variable;
  if (evidence.podman_file) return "podman";
  return evidence.docker_file ? "docker" : "";
}

/// The file that Docker leaves is also found in machines that were made from an image: it proves nothing by
/// itself.
bool is_container(const HostEvidence& evidence, const OwnMounts& mounts, const std::string& engine) {
  const auto pids = parse_namespace(evidence.pid_namespace);
  if (pids && *pids != kFirstPidNamespace) return true;
  if (mounts.lxcfs) return true;
  return !engine.empty() && mounts.overlay_root;
}

Whose whose_processes(const HostEvidence& evidence) {
  const std::size_t depth = evidence.foreign_root ? namespace_depth(evidence.status) : 0;
  if (depth > 1) return Whose::machine;
  const auto pids = parse_namespace(evidence.pid_namespace);
  return pids && *pids != kFirstPidNamespace ? Whose::container : Whose::machine;
}

/// With a foreign root the files of process 1 are read: they are the machine's as far as its processes are.
Whose whose_network(const HostEvidence& evidence, Whose processes, bool in_container) {
  if (evidence.foreign_root) return processes;
  const auto own = parse_namespace(evidence.network_namespace);
  if (own && *own == kFirstNetworkNamespace) return Whose::machine;
  if (processes == Whose::machine && own)
    if (const auto first = parse_namespace(evidence.first_network_namespace))
      return *own == *first ? Whose::machine : Whose::container;
  return in_container ? Whose::container : Whose::machine;
}

std::string join(const std::vector<std::string_view>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

void describe(HostView& view) {
  if (!view.in_container) return;
  std::vector<std::string_view> own, machine;
  const auto sort_in = [&](Whose whose, std::string_view what) {
    (whose == Whose::container ? own : machine).push_back(what);
  };
  sort_in(view.processor, "CPU, memory, load, disks");
  sort_in(view.processes, "processes");
  sort_in(view.network, "network");
  sort_in(view.filesystems, "file systems");
  view.text = "Runs in a container" + (view.engine.empty() ? std::string() : " (" + view.engine + ")") + ". ";
  if (own.empty()) {
    view.text += "What is shown is the machine's.";
    return;
  }
  view.text += "Only this container's: " + join(own) + ".";
  if (!machine.empty()) view.text += " The machine's: " + join(machine) + ".";
  view.fix =
      "To see the machine, mount its /proc, /sys and / into the container read-only, for example below "
      "/host, and give these places in the settings; or start the container with the machine's process and "
      "network namespaces (docker run --pid=host --network=host).";
}

}  // namespace

std::optional<std::int64_t> parse_namespace(std::string_view link) {
  const std::size_t begin = link.find('[');
  const std::size_t end = link.find(']');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return std::nullopt;
  return parse_number(link.substr(begin + 1, end - begin - 1));
}

HostView judge_host(const HostEvidence& evidence) {
  const OwnMounts mounts = look_at_mounts(evidence.mountinfo);
  HostView view;
  std::string engine = name_engine(evidence);
  view.in_container = is_container(evidence, mounts, engine);
  if (!view.in_container) return view;
  view.engine = mounts.lxcfs && engine.empty() ? "lxc" : std::move(engine);
  view.processor = mounts.lxcfs && !evidence.foreign_root ? Whose::container : Whose::machine;
  view.processes = whose_processes(evidence);
  view.network = whose_network(evidence, view.processes, view.in_container);
  view.filesystems = evidence.foreign_filesystem ? Whose::machine : Whose::container;
  describe(view);
  return view;
}

}  // namespace countertop::proc
