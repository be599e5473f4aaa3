// The objects `cpu` and `system`, which come from one reading of /proc/stat.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "collectors/proc/machine_part.hpp"
#include "collectors/proc/stat_parser.hpp"

namespace countertop::proc {

/// `most_cpus` as make_cpu_object.
[[nodiscard]] std::unique_ptr<MachinePart> make_cpu_part(std::int64_t ticks_per_second,
                                                         std::int64_t most_cpus);

/// How many CPUs the machine can have: the end of the list in /sys/devices/system/cpu/possible, or else the
/// CPUs in /proc/stat; at least 1.
[[nodiscard]] std::int64_t read_most_cpus(FileTree& files);

}  // namespace countertop::proc
