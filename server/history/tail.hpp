// The hot tail: rows of the unsealed `tick` table, decoded once for all series of a plan.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/database.hpp"
#include "server/history/row_scan.hpp"
#include "server/history/series_plan.hpp"
#include "server/history/tick_codec.hpp"

namespace countertop::history {

/// Collectors with long intervals: this much before a range is read as well, for the first interval inside
/// it.
inline constexpr std::int64_t kTailLeadMs = 60'000;

/// What is known of a tick row without decoding it.
struct TickHead {
  std::int64_t id = 0;
  std::int64_t segment = 0;
  std::int64_t wall_ms = 0;
  bool is_key = false;
};

/// All unsealed ticks of a host, by id.
[[nodiscard]] Result<std::vector<TickHead>> read_tick_heads(Database& database, std::int64_t host);

/// Replays the ticks from `first` to `last` (indices into `heads`; `first` is moved back to a key tick) and
/// calls `visit` for each record of the wanted objects (empty: all). A damaged tick is skipped up to the next
/// key tick and reported to `damaged`; an Error is one of the database.
using TickVisitor = std::function<void(const TickHead&, const TickRecord&)>;
using TickDamage = std::function<void(const TickHead&, const Error&)>;
[[nodiscard]] Result<void> replay_ticks(Database& database, std::span<const TickHead> heads,
                                        std::size_t first, std::size_t last,
                                        std::span<const std::uint32_t> objects, const TickVisitor& visit,
                                        const TickDamage& damaged);

/// Rows of one object in one segment.
struct TailObject {
  std::vector<TimeBase> times;
  std::unordered_map<std::uint32_t, InstanceRows> instances;
};

struct TailSegment {
  std::int64_t segment = 0;
  std::map<std::uint32_t, TailObject> objects;  // by object id
};

/// What the plan wants of `range`, with at least one row before it where there is one. Segments in order.
[[nodiscard]] Result<std::vector<TailSegment>> read_tail(Database& database, std::span<const TickHead> heads,
                                                         std::span<const ObjectPlan> objects,
                                                         query::TimeRange range, RowSink& sink);

}  // namespace countertop::history
