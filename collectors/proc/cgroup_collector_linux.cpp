#include "collectors/proc/cgroup_collector.hpp"
#include "collectors/proc/file_tree_linux.hpp"

namespace countertop::proc {

std::unique_ptr<Collector> make_cgroup_collector(const ProcRoot& root, const ProcRoot& own) {
  return std::make_unique<CgroupCollector>(std::make_unique<LinuxFileTree>(own),
                                           std::make_unique<LinuxFileTree>(root));
}

}  // namespace countertop::proc
