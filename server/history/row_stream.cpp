#include "server/history/row_stream.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "server/history/layout.hpp"
#include "server/history/query_sink.hpp"
#include "server/history/resolver.hpp"
#include "server/history/series_scan.hpp"
#include "server/history/wall_clock.hpp"

namespace countertop::history {

Result<RowStream> RowStream::open(Catalog& catalog, const query::Request& request) {
  auto plan = resolve(catalog, request);
  if (!plan) return tl::unexpected<Error>(plan.error());
  const auto host = catalog.host(request.series.empty() ? std::string() : request.series.front().host);
  if (!host) return tl::unexpected<Error>(host.error());
  for (SeriesPlan& series : plan->series) series.is_exact = true;  // every window has the same columns
  // What is unsealed now may be sealed before the stream comes to it.
  for (ObjectPlan& object : plan->objects) {
    for (InstancePlan& instance : object.instances)
      if (catalog.may_be_alive(instance.last_ms)) instance.last_ms = std::numeric_limits<std::int64_t>::max();
  }
  return RowStream(std::move(*plan), host->value_or(0), request.range);
}

Result<query::TimeRange> RowStream::next_range(Database& database) {
  const query::TimeRange end{range_.to_ms, range_.to_ms};
  if (cursor_ms_ >= range_.to_ms) return end;
  auto sealed = database.prepare("SELECT min(window) FROM part WHERE host=?1 AND window>=?2 AND last_ms>=?3");
  if (!sealed) return tl::unexpected<Error>(sealed.error());
  sealed->bind(1, host_).bind(2, window_of(cursor_ms_)).bind(3, cursor_ms_);
  const auto row = sealed->step();
  if (!row) return tl::unexpected<Error>(row.error());
  std::int64_t start_ms = std::numeric_limits<std::int64_t>::max();
  if (*row && !sealed->is_null(0)) start_ms = sealed->integer(0) * kWindowMs;
  sealed->reset();
  auto unsealed = database.prepare("SELECT min(wall_ms) FROM tick WHERE host=?1 AND wall_ms>=?2");
  if (!unsealed) return tl::unexpected<Error>(unsealed.error());
  unsealed->bind(1, host_).bind(2, cursor_ms_ - 60'000);
  const auto tick = unsealed->step();
  if (!tick) return tl::unexpected<Error>(tick.error());
  if (*tick && !unsealed->is_null(0)) start_ms = std::min(start_ms, unsealed->integer(0));
  unsealed->reset();
  start_ms = std::max(start_ms, cursor_ms_);
  if (start_ms >= range_.to_ms) return end;
  const std::int64_t window_end_ms = (window_of(start_ms) + 1) * kWindowMs;
  return query::TimeRange{start_ms,
                          window_end_ms > start_ms ? std::min(window_end_ms, range_.to_ms) : range_.to_ms};
}

Result<std::optional<query::Answer>> RowStream::next(Database& database, std::span<const Mark> marks,
                                                     const std::stop_token& stop) {
  const auto range = next_range(database);
  if (!range) return tl::unexpected<Error>(range.error());
  query::Request request;
  // What was jumped over belongs to the window: its gap is told with it.
  request.range = query::TimeRange{cursor_ms_, range->to_ms};
  cursor_ms_ = range->to_ms;
  if (request.range.from_ms >= request.range.to_ms) return std::optional<query::Answer>{};
  request.max_points = std::numeric_limits<std::size_t>::max();
  QuerySink sink(request, plan_);
  RowScan scan(request.range, false, plan_.series.size(), sink);
  const auto scanned = scan_raw(database, host_, plan_, request.range, ScanOptions{}, scan, sink, stop);
  if (!scanned) return tl::unexpected<Error>(scanned.error());
  query::Answer answer;
  sink.finish(marks, wall_clock_ms(), answer);
  return std::optional<query::Answer>{std::move(answer)};
}

}  // namespace countertop::history
