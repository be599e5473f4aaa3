// What the standard threads do not offer.
#pragma once

#include <cstdint>
#include <string>

namespace countertop {

/// CPU time of the calling thread in nanoseconds, 0 where the system does not tell.
[[nodiscard]] std::int64_t thread_cpu_time_ns();

/// Names the calling thread in `top -H` and debuggers; cut to what the system takes (15 bytes on Linux).
void set_thread_name(const std::string& name);

}  // namespace countertop
