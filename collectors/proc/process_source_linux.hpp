// Reads processes out of a /proc, with descriptors kept open between readings where that is safe.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "collectors/proc/process_source.hpp"

namespace countertop::proc {

struct ProcessPaths {
  std::string proc;  // "/proc", or where another machine's or a container host's is mounted
  std::string sys;   // "/sys" likewise
};

/// `most_descriptors` bounds what is kept open; half of what the system's limit allows is never taken. The soft limit
/// of open files is raised to 4096 where the hard one allows it. Opens nothing yet: a root that cannot be opened is an
/// error of `list`.
[[nodiscard]] std::unique_ptr<ProcessSource> make_process_source(ProcessPaths paths, std::size_t most_descriptors);

}  // namespace countertop::proc
