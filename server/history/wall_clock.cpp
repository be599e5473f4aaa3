#include "server/history/wall_clock.hpp"

#include <chrono>

namespace countertop::history {

std::int64_t wall_clock_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace countertop::history
