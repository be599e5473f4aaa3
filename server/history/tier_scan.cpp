#include "server/history/tier_scan.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "server/history/layout.hpp"

namespace countertop::history {

namespace {

/// Averages of the parts add up, weighted with the share of time each part was there; extremes of a sum are
/// not known, so the sums of the extremes bound them.
void add_up(query::TierPoint& sum, const query::TierPoint& part) {
  if (sum.count == 0) {
    sum = part;
    return;
  }
  const double weight = std::max(sum.weight_s, part.weight_s);
  if (weight > 0) sum.average = (sum.average * sum.weight_s + part.average * part.weight_s) / weight;
  sum.weight_s = weight;
  sum.minimum += part.minimum;
  sum.maximum += part.maximum;
  sum.last += part.last;
  sum.count = std::max(sum.count, part.count);
}

/// From the first to the last part in which the instance was there.
std::span<const MinutePart> parts_of_life(std::span<const MinutePart> parts, const InstancePlan& instance) {
  const auto overlaps = [&](const MinutePart& part) {
    return part.last_ms >= instance.first_ms && part.first_ms <= instance.last_ms;
  };
  while (!parts.empty() && !overlaps(parts.front())) parts = parts.subspan(1);
  while (!parts.empty() && !overlaps(parts.back())) parts = parts.first(parts.size() - 1);
  return parts;
}

std::size_t counter_index(const ObjectPlan& object, const SeriesUse& use) {
  const CounterDefinition& counter = object.cooks[use.cook]->counter();
  return static_cast<std::size_t>(&counter - object.definition->counters.data());
}

}  // namespace

Result<std::vector<MinutePart>> read_minute_parts(Database& database, std::int64_t host,
                                                  query::TimeRange range) {
  auto select = database.prepare(
      "SELECT window, part, first_ms, last_ms FROM minute_part WHERE host=?1 AND window BETWEEN ?2 AND ?3 "
      "ORDER BY window, part");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, host).bind(2, minute_window_of(range.from_ms)).bind(3, minute_window_of(range.to_ms));
  std::vector<MinutePart> parts;
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return parts;
    parts.push_back(
        MinutePart{select->integer(0), select->integer(1), select->integer(2), select->integer(3)});
  }
}

Result<TierScan> TierScan::open(Database& database, bool with_last) {
  auto minutes = database.prepare("SELECT id, v FROM minute WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
  if (!minutes) return tl::unexpected<Error>(minutes.error());
  auto hours = database.prepare(
      "SELECT hour, count, min, max, avg, last FROM hour JOIN counter_name ON counter_name.id=hour.counter "
      "WHERE instance=?1 AND name=?2 AND hour>=?3 AND hour<?4 ORDER BY hour");
  if (!hours) return tl::unexpected<Error>(hours.error());
  return TierScan(with_last, std::move(*minutes), std::move(*hours));
}

Result<void> TierScan::minutes(std::span<const MinutePart> parts, const ObjectPlan& object,
                               const TierFilter& wanted, QuerySink& sink, const std::stop_token& stop) {
  Sums sums;
  for (const InstancePlan& instance : object.instances) {
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "the query was cancelled");
    const auto lived = parts_of_life(parts, instance);
    if (lived.empty()) continue;
    for (const SeriesUse& use : instance.uses) {
      const auto read = read_series(lived, object, instance, use, wanted, sums, sink);
      if (!read) return read;
    }
  }
  for (const auto& [series, by_time] : sums) {
    points_.clear();
    for (const auto& [time, point] : by_time) points_.push_back(point);
    sink.points(series, points_);
  }
  return {};
}

Result<void> TierScan::read_series(std::span<const MinutePart> parts, const ObjectPlan& object,
                                   const InstancePlan& instance, const SeriesUse& use,
                                   const TierFilter& wanted, Sums& sums, QuerySink& sink) {
  const std::size_t counter = counter_index(object, use);
  const bool is_shared = shares_minute_row(*object.definition);
  const std::int64_t slot = is_shared ? 0 : static_cast<std::int64_t>(counter);
  MinuteReader::Place place;
  if (is_shared) place = {0, counter, object.definition->counters.size()};
  minutes_.bind(1, pack_minute_id(instance.id, slot, parts.front().window, parts.front().part))
      .bind(2, pack_minute_id(instance.id, slot, parts.back().window, parts.back().part));
  std::size_t next = 0;
  for (;;) {
    const auto row = minutes_.step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return {};
    // A row without its part belongs to a job that is not done, or not to this query.
    const std::int64_t id = minutes_.integer(0);
    const std::pair key(window_of_minute_id(id), part_of_minute_id(id));
    while (next < parts.size() && std::pair(parts[next].window, parts[next].part) < key) ++next;
    if (next == parts.size()) continue;
    const MinutePart& part = parts[next];
    if (std::pair(part.window, part.part) != key) continue;
    place.window_start_ms = part.window * kMinuteWindowMs;
    const auto read = reader_.read(minutes_.blob(1), place, with_last_, points_);
    if (!read) {
      if (read.error().code != ErrorCode::malformed) return read;
      sink.damaged(query::TimeRange{part.first_ms, part.last_ms + 1}, read.error());
      continue;
    }
    if (wanted) std::erase_if(points_, [&](const query::TierPoint& point) { return !wanted(point.time_ms); });
    give(object, use, sums, sink);
  }
}

/// The points of one row.
void TierScan::give(const ObjectPlan& object, const SeriesUse& use, Sums& sums, QuerySink& sink) {
  std::int64_t from_ms = 0;
  std::int64_t to_ms = -1;
  for (const query::TierPoint& point : points_) {
    if (point.time_ms > to_ms) {
      if (to_ms >= 0) sink.covered(object.definition->name, query::TimeRange{from_ms, to_ms - 1});
      from_ms = point.time_ms;
    }
    to_ms = point.time_ms + kMinuteMs;
  }
  if (to_ms >= 0) sink.covered(object.definition->name, query::TimeRange{from_ms, to_ms - 1});
  if (!use.is_shared) {
    sink.points(use.series, points_);
    return;
  }
  auto& sum = sums[use.series];
  for (const query::TierPoint& point : points_) add_up(sum[point.time_ms], point);
}

Result<void> TierScan::hours(const ObjectPlan& object, query::TimeRange range, const TierFilter& wanted,
                             QuerySink& sink) {
  for (const InstancePlan& instance : object.instances) {
    for (const SeriesUse& use : instance.uses) {
      hours_.bind(1, std::int64_t{instance.id})
          .bind(2, std::string_view(object.cooks[use.cook]->counter().name))
          .bind(3, range.from_ms / kHourMs)
          .bind(4, (range.to_ms + kHourMs - 1) / kHourMs);
      points_.clear();
      for (;;) {
        const auto row = hours_.step();
        if (!row) return tl::unexpected<Error>(row.error());
        if (!*row) break;
        const std::int64_t start_ms = hours_.integer(0) * kHourMs;
        if (wanted && !wanted(start_ms)) continue;
        const std::int64_t count = std::max<std::int64_t>(hours_.integer(1), 0);
        points_.push_back(query::TierPoint{start_ms, hours_.real(4), hours_.real(2), hours_.real(3),
                                           hours_.real(5), 0, static_cast<std::uint64_t>(count)});
        sink.covered(object.definition->name, query::TimeRange{start_ms, start_ms + kHourMs - 1});
      }
      sink.points(use.series, points_);
    }
  }
  return {};
}

}  // namespace countertop::history
