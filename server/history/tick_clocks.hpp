// The clocks of a tick record: which of the six changed against the record before, and by how much.
#pragma once

#include "collectors/core/snapshot.hpp"
#include "server/history/bytes.hpp"

namespace countertop::history {

void append_clocks(const TimeBase& before, const TimeBase& now, Bytes& out);

/// Changes `time` from the record before to this one. False when the bytes end or are no clocks.
[[nodiscard]] bool read_clocks(ByteReader& reader, TimeBase& time);

}  // namespace countertop::history
