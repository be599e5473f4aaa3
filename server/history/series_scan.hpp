// Drives a RowScan over sealed parts and the tail, in the order in which the rows were taken.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/database.hpp"
#include "server/history/row_scan.hpp"
#include "server/history/sealed_rows.hpp"
#include "server/history/tail.hpp"

namespace countertop::history {

/// Parts of the host whose window may hold rows of the range, by segment, then window.
[[nodiscard]] Result<std::vector<SealedPart>> read_parts(Database& database, std::int64_t host,
                                                         query::TimeRange range,
                                                         bool only_not_rolled = false);
/// The part that the segment has just before `window`; nullopt when there is none.
[[nodiscard]] Result<std::optional<SealedPart>> part_before(Database& database, std::int64_t host,
                                                            std::int64_t segment, std::int64_t window);

/// Scans one sealed part for all objects of the plan. Damaged chunks go to the sink; an Error is one of the
/// database.
[[nodiscard]] Result<void> scan_part(SealedRows& rows, const SealedPart& part, std::span<ObjectPlan> objects,
                                     RowScan::Use use, RowScan& scan, RowSink& sink);

/// Scans segments of the tail; `objects` as given to read_tail.
void scan_tail(const std::vector<TailSegment>& segments, std::span<ObjectPlan> objects, RowScan& scan);

struct ScanOptions {
  bool only_not_rolled = false;  // sealed parts that the minute tier has are left out
};
/// Everything raw of the range: sealed parts with what has to be known before them, then the tail. Within one
/// read transaction. ErrorCode::cancelled on a stop request.
[[nodiscard]] Result<void> scan_raw(Database& database, std::int64_t host, QueryPlan& plan,
                                    query::TimeRange range, const ScanOptions& options, RowScan& scan,
                                    RowSink& sink, const std::stop_token& stop);

}  // namespace countertop::history
