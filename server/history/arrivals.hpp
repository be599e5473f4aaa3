// Names of instances as they come: the `arrivals` blob of a tick row. Names reach the `instance` table only
// when a window is sealed, so that a process of one second costs no row there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/bytes.hpp"

namespace countertop::history {

struct Arrival {
  std::uint32_t instance = 0;
  std::uint32_t object = 0;
  bool is_clock = false;
  bool from_zero = false;
  std::string name;
  std::int64_t first_ms = 0;  // wall time of its first row; kept for those that count from zero only
};

void append_arrival(const Arrival& arrival, Bytes& out);

/// Appends to `arrivals`. ErrorCode::malformed; what came before the damage is there.
[[nodiscard]] Result<void> read_arrivals(ByteView blob, std::vector<Arrival>& arrivals);

}  // namespace countertop::history
