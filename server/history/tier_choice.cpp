#include "server/history/tier_choice.hpp"

#include <algorithm>
#include <unordered_set>

#include "server/history/layout.hpp"
#include "server/history/series_scan.hpp"
#include "server/history/tier_scan.hpp"
#include "server/query/plan.hpp"

namespace countertop::history {

namespace {

using Windows = std::unordered_set<std::int64_t>;

/// Windows that still have raw parts, in all of the minute windows that the range touches.
Result<Windows> raw_windows(Database& database, std::int64_t host, query::TimeRange range) {
  auto select =
      database.prepare("SELECT DISTINCT window FROM part WHERE host=?1 AND window BETWEEN ?2 AND ?3");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, host)
      .bind(2, minute_window_of(range.from_ms) * kWindowsPerMinuteWindow)
      .bind(3, (minute_window_of(range.to_ms) + 1) * kWindowsPerMinuteWindow - 1);
  Windows windows;
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return windows;
    windows.insert(select->integer(0));
  }
}

class TierChoice {
 public:
  TierChoice(Database& database, std::int64_t host, const query::Request& request, QueryPlan& plan,
             QuerySink& sink)
      : database_(database), host_(host), request_(request), plan_(plan), sink_(sink) {}

  Result<query::Tier> run(const std::stop_token& stop);

 private:
  /// Processes have no hours: the minute tier serves them.
  [[nodiscard]] bool has_hours(const ObjectPlan& object) const {
    return !object.definition->notable.has_value();
  }
  [[nodiscard]] bool wants_last() const {
    return std::ranges::find(request_.aggregates, query::Aggregate::last) != request_.aggregates.end();
  }
  [[nodiscard]] bool has_all_seconds(std::int64_t minute_window) const;
  Result<void> scan_coarse(const std::stop_token& stop);
  Result<void> scan_minutes(const std::vector<MinutePart>& parts, const std::stop_token& stop);
  Result<void> scan_hours(const std::vector<MinutePart>& parts);

  Database& database_;
  std::int64_t host_;
  const query::Request& request_;
  QueryPlan& plan_;
  QuerySink& sink_;
  query::Tier used_ = query::Tier::raw;
  Windows raw_windows_;  // only for tier raw: where seconds are still there
};

Result<query::Tier> TierChoice::run(const std::stop_token& stop) {
  const bool wants_raw = request_.with_raw;
  if (const auto coarse = scan_coarse(stop); !coarse) return tl::unexpected<Error>(coarse.error());
  RowScan scan(request_.range, wants_raw, plan_.series.size(), sink_);
  ScanOptions options;
  options.only_not_rolled = request_.tier != query::Tier::raw;
  const auto scanned = scan_raw(database_, host_, plan_, request_.range, options, scan, sink_, stop);
  if (!scanned) return tl::unexpected<Error>(scanned.error());
  return used_;
}

Result<void> TierChoice::scan_coarse(const std::stop_token& stop) {
  const bool is_raw_rows = request_.grid.step_ms == 0 && request_.grid.day_starts_ms.empty();
  if (is_raw_rows || std::ranges::any_of(request_.aggregates, query::is_percentile)) return {};
  const auto parts = read_minute_parts(database_, host_, request_.range);
  if (!parts) return tl::unexpected<Error>(parts.error());
  if (request_.tier == query::Tier::raw) {
    auto windows = raw_windows(database_, host_, request_.range);
    if (!windows) return tl::unexpected<Error>(windows.error());
    raw_windows_ = std::move(*windows);
  }
  if (const auto minutes = scan_minutes(*parts, stop); !minutes) return minutes;
  return scan_hours(*parts);
}

Result<void> TierChoice::scan_minutes(const std::vector<MinutePart>& parts, const std::stop_token& stop) {
  auto tiers = TierScan::open(database_, wants_last());
  if (!tiers) return tl::unexpected<Error>(tiers.error());
  TierFilter wanted;
  if (request_.tier == query::Tier::raw)
    wanted = [this](std::int64_t start_ms) { return !raw_windows_.contains(window_of(start_ms)); };
  std::vector<MinutePart> needed = parts;
  if (request_.tier == query::Tier::raw)
    std::erase_if(needed, [this](const MinutePart& part) { return has_all_seconds(part.window); });
  if (needed.empty()) return {};
  for (const ObjectPlan& object : plan_.objects) {
    if (request_.tier == query::Tier::hour && has_hours(object)) continue;
    if (const auto scanned = tiers->minutes(needed, object, wanted, sink_, stop); !scanned) return scanned;
  }
  if (request_.tier != query::Tier::raw) used_ = query::Tier::minute;
  return {};
}

bool TierChoice::has_all_seconds(std::int64_t minute_window) const {
  for (std::int64_t i = 0; i < kWindowsPerMinuteWindow; ++i) {
    if (!raw_windows_.contains(minute_window * kWindowsPerMinuteWindow + i)) return false;
  }
  return true;
}

Result<void> TierChoice::scan_hours(const std::vector<MinutePart>& parts) {
  auto tiers = TierScan::open(database_, wants_last());
  if (!tiers) return tl::unexpected<Error>(tiers.error());
  TierFilter wanted;
  Windows minute_windows;
  if (request_.tier != query::Tier::hour) {
    // Where minutes are gone the hours serve, coarser than what was asked for but better than nothing.
    for (const MinutePart& part : parts) minute_windows.insert(part.window);
    wanted = [&](std::int64_t start_ms) { return !minute_windows.contains(minute_window_of(start_ms)); };
    const auto oldest = database_.integer("SELECT min(window) FROM minute_part");
    if (!oldest) return tl::unexpected<Error>(oldest.error());
    if (oldest->has_value() && **oldest * kMinuteWindowMs <= request_.range.from_ms) return {};
  }
  for (const ObjectPlan& object : plan_.objects) {
    if (!has_hours(object)) continue;
    if (const auto scanned = tiers->hours(object, request_.range, wanted, sink_); !scanned) return scanned;
  }
  if (request_.tier == query::Tier::hour && !parts.empty()) used_ = query::Tier::hour;
  return {};
}

}  // namespace

Result<query::Tier> scan_tiers(Database& database, std::int64_t host, const query::Request& request,
                               QueryPlan& plan, QuerySink& sink, const std::stop_token& stop) {
  return TierChoice(database, host, request, plan, sink).run(stop);
}

}  // namespace countertop::history
