#include "server/history/series_scan.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_set>

#include "server/history/layout.hpp"

namespace countertop::history {

namespace {

constexpr const char* kPartColumns = "SELECT window, part, segment, first_ms, last_ms, rolled FROM part ";

SealedPart part_of(const Statement& row) {
  return SealedPart{row.integer(0), row.integer(1), row.integer(2),
                    row.integer(3), row.integer(4), static_cast<int>(row.integer(5))};
}

bool is_damage(const Error& error) {
  return error.code == ErrorCode::malformed || error.code == ErrorCode::too_large;
}

}  // namespace

Result<std::vector<SealedPart>> read_parts(Database& database, std::int64_t host, query::TimeRange range,
                                           bool only_not_rolled) {
  auto select = database.prepare(std::string(kPartColumns) +
                                 (only_not_rolled ? "WHERE rolled<2 AND host=?1" : "WHERE host=?1") +
                                 " AND window BETWEEN ?2 AND ?3 AND last_ms>=?4 AND first_ms<?5 "
                                 "ORDER BY segment, window");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, host)
      .bind(2, window_of(range.from_ms))
      .bind(3, window_of(range.to_ms))
      .bind(4, range.from_ms)
      .bind(5, range.to_ms);
  std::vector<SealedPart> parts;
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return parts;
    parts.push_back(part_of(*select));
  }
}

Result<std::optional<SealedPart>> part_before(Database& database, std::int64_t host, std::int64_t segment,
                                              std::int64_t window) {
  auto select = database.prepare(std::string(kPartColumns) + "WHERE host=?1 AND window=?2 AND segment=?3");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, host).bind(2, window - 1).bind(3, segment);
  const auto row = select->step();
  if (!row) return tl::unexpected<Error>(row.error());
  if (!*row) return std::optional<SealedPart>{};
  return std::optional<SealedPart>{part_of(*select)};
}

Result<void> scan_part(SealedRows& rows, const SealedPart& part, std::span<ObjectPlan> objects,
                       RowScan::Use use, RowScan& scan, RowSink& sink) {
  const query::TimeRange stretch{part.first_ms, part.last_ms + 1};
  InstanceRows instance_rows;
  for (ObjectPlan& object : objects) {
    const auto times = rows.times(part, object.clocks);
    if (!times) {
      if (!is_damage(times.error())) return tl::unexpected<Error>(times.error());
      if (use == RowScan::Use::emit) sink.damaged(stretch, times.error());
      continue;
    }
    std::optional<Error> failure;
    const auto provider = [&](const InstancePlan& instance) -> const InstanceRows* {
      if (instance.last_ms < part.first_ms || instance.first_ms > part.last_ms) return nullptr;
      const auto found = rows.read(part, instance.id, object.definition->fields.size(), object.fields,
                                   (*times)->size(), instance_rows);
      if (found) return *found ? &instance_rows : nullptr;
      if (!is_damage(found.error()))
        failure = found.error();
      else if (use == RowScan::Use::emit)
        sink.damaged(stretch, found.error());
      return nullptr;
    };
    scan.scan(object, part.segment, **times, use, provider);
    if (failure) return tl::unexpected<Error>(*failure);
  }
  return {};
}

void scan_tail(const std::vector<TailSegment>& segments, std::span<ObjectPlan> objects, RowScan& scan) {
  for (const TailSegment& segment : segments) {
    for (ObjectPlan& object : objects) {
      const auto found = segment.objects.find(object.id);
      if (found == segment.objects.end()) continue;
      const auto provider = [&](const InstancePlan& instance) -> const InstanceRows* {
        const auto rows = found->second.instances.find(instance.id);
        return rows == found->second.instances.end() ? nullptr : &rows->second;
      };
      scan.scan(object, segment.segment, found->second.times, RowScan::Use::emit, provider);
    }
  }
}

Result<void> scan_raw(Database& database, std::int64_t host, QueryPlan& plan, query::TimeRange range,
                      const ScanOptions& options, RowScan& scan, RowSink& sink, const std::stop_token& stop) {
  auto rows = SealedRows::open(database);
  if (!rows) return tl::unexpected<Error>(rows.error());
  auto parts = read_parts(database, host, range, options.only_not_rolled);
  if (!parts) return tl::unexpected<Error>(parts.error());

  std::int64_t segment = -1;
  std::int64_t window = -1;  // the last one scanned of `segment`
  const auto prepare = [&](std::int64_t next_segment, std::int64_t next_window) -> Result<void> {
    if (next_segment == segment && next_window == window + 1) return {};
    const auto before = part_before(database, host, next_segment, next_window);
    if (!before) return tl::unexpected<Error>(before.error());
    if (!before->has_value()) return {};
    return scan_part(*rows, **before, plan.objects, RowScan::Use::prepare, scan, sink);
  };
  for (const SealedPart& part : *parts) {
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "the query was cancelled");
    if (part.first_ms >= range.from_ms) {
      if (const auto prepared = prepare(part.segment, part.window); !prepared) return prepared;
    }
    if (const auto scanned = scan_part(*rows, part, plan.objects, RowScan::Use::emit, scan, sink); !scanned)
      return scanned;
    segment = part.segment;
    window = part.window;
  }
  const auto heads = read_tick_heads(database, host);
  if (!heads) return tl::unexpected<Error>(heads.error());
  const auto tail = read_tail(database, *heads, plan.objects, range, sink);
  if (!tail) return tl::unexpected<Error>(tail.error());
  if (!tail->empty() && !heads->empty()) {
    // The tail begins where the last sealed part of its segment ended.
    const TailSegment& first = tail->front();
    const auto head = std::ranges::find(*heads, first.segment, &TickHead::segment);
    if (head != heads->end() && head->wall_ms >= range.from_ms - kTailLeadMs) {
      if (const auto prepared = prepare(first.segment, window_of(head->wall_ms)); !prepared) return prepared;
    }
  }
  scan_tail(*tail, plan.objects, scan);
  return {};
}

}  // namespace countertop::history
