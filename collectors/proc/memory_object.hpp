// The objects `memory`, `swap` and `vm`, whose fields are called as in /proc/meminfo and /proc/vmstat.
#pragma once

#include <cstdint>

#include "collectors/core/object.hpp"

namespace countertop::proc {

[[nodiscard]] ObjectHandle make_memory_object();
[[nodiscard]] ObjectHandle make_swap_object(std::int64_t page_bytes);
[[nodiscard]] ObjectHandle make_vm_object(std::int64_t page_bytes);

}  // namespace countertop::proc
