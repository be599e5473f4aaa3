#include "collectors/proc/process_name.hpp"

#include <cstddef>

#include "collectors/core/utf8.hpp"

namespace countertop::proc {
namespace {

/// Kernel threads may have longer names than the 15 bytes of a comm (fs/proc/array.c, proc_task_name).
constexpr std::size_t kLongestName = 64;
}  // namespace

std::string process_group(const ProcessStat& stat) {
  constexpr std::string_view kWorker = "kworker/";
  std::string_view comm = stat.comm.substr(0, kLongestName);
  if (stat.workqueue_worker && comm.starts_with(kWorker) && !comm.substr(kWorker.size()).starts_with("R-")) {
    comm = comm.substr(0, comm.find_first_of("-+", kWorker.size()));
  }
  return comm.empty() ? std::string("?") : sanitize_utf8(comm);
}

std::string process_instance(std::string_view group, std::int32_t pid, std::int64_t start_unix_s) {
  std::string name;
  name.reserve(group.size() + 24);
  name += group;
  name += ':';
  name += std::to_string(pid);
  name += '@';
  name += std::to_string(start_unix_s);
  return name;
}

}  // namespace countertop::proc
