#pragma once

#include <cstdint>

namespace countertop::history {

/// Unix milliseconds by the machine's clock: gaps are not told beyond it.
[[nodiscard]] std::int64_t wall_clock_ms();

}  // namespace countertop::history
