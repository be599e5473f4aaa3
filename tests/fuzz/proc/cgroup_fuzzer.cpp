// Input: membership, a zero byte, mountinfo. The whole of it is tried as a limit as well.
#include <cstdlib>
#include <string_view>

#include "collectors/core/object.hpp"
#include "collectors/proc/cgroup_layout.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace countertop::proc;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t middle = text.find('\0');
  const std::string_view mountinfo =
      middle == std::string_view::npos ? std::string_view() : text.substr(middle + 1);
  const CgroupLayout layout = find_cgroup_layout(text.substr(0, middle), mountinfo);
  for (const CgroupPlace* place : {&layout.memory, &layout.cpu, &layout.cpuacct, &layout.pids}) {
    // Nothing may lead out of the mount.
    if (place->group.find("/..") != std::string::npos || place->group.starts_with("..")) std::abort();
    if (place->group.starts_with('/') || place->group.ends_with('/')) std::abort();
    const auto folders = folders_upward(*place);
    if (folders.empty() || folders.back() != place->mount) std::abort();
  }
  const auto limit = parse_cgroup_limit(text);
  if (limit && *limit < 0 && *limit != countertop::kNoValue) std::abort();
  const auto cpus = parse_cpu_max(text);
  if (cpus && *cpus < 0 && *cpus != countertop::kNoValue) std::abort();
  return 0;
}
