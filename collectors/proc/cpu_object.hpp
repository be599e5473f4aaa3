// The `cpu` object: columns of /proc/stat as raw fields, shares of time as counters.
#pragma once

#include <cstdint>

#include "collectors/core/object.hpp"
#include "collectors/proc/stat_parser.hpp"

namespace countertop::proc {

/// `most_cpus`: how many CPUs the machine can have at most. It bounds how fast a field can grow.
[[nodiscard]] ObjectHandle make_cpu_object(std::int64_t ticks_per_second, std::int64_t most_cpus);

}  // namespace countertop::proc
