// The list of mounts, and what is concluded from it about containers.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/proc/host_view.hpp"
#include "collectors/proc/mount_parser.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace countertop::proc;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<Mount> mounts;
  parse_mounts(text, mounts);
  for (const Mount& mount : mounts)
    if (!mount.mount_point.starts_with('/') || mount.mount_point.find('\0') != std::string::npos)
      std::abort();
  const auto chosen = choose_mounts(mounts, false);
  if (chosen.size() > mounts.size()) std::abort();
  if (std::ranges::any_of(chosen, [](const Mount& one) { return kind_of(one) != MountKind::local; }))
    std::abort();

  HostEvidence evidence;
  evidence.mountinfo = evidence.status = evidence.cgroup = text;
  evidence.pid_namespace = evidence.network_namespace = text.substr(0, text.find('\n'));
  evidence.foreign_root = size % 2 == 0;
  const HostView view = judge_host(evidence);
  if (view.in_container == view.text.empty()) std::abort();
  return 0;
}
