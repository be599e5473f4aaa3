// The objects `memory` and `swap` (from /proc/meminfo) and `vm` (from /proc/vmstat).
#pragma once

#include <cstdint>
#include <memory>

#include "collectors/proc/machine_part.hpp"

namespace countertop::proc {

[[nodiscard]] std::unique_ptr<MachinePart> make_memory_part(std::int64_t page_bytes);

}  // namespace countertop::proc
