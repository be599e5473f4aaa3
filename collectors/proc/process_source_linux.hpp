// Reads processes out of a /proc, with descriptors kept open between readings where that is safe.
#pragma once

#include <cstddef>
#include <memory>

#include "collectors/proc/proc_root.hpp"
#include "collectors/proc/process_source.hpp"

namespace countertop::proc {

/// `most_descriptors` bounds what is kept open; half of what the system's limit allows is never taken. The
/// soft limit of open files is raised to 4096 where the hard one allows it. Opens nothing yet: a /proc that
/// cannot be opened is an error of `list`.
[[nodiscard]] std::unique_ptr<ProcessSource> make_process_source(const ProcRoot& root,
                                                                 std::size_t most_descriptors);

}  // namespace countertop::proc
