#include "server/history/hour_rows.hpp"

#include <algorithm>
#include <utility>

#include "server/history/layout.hpp"

namespace countertop::history {

Result<HourRows> HourRows::open(Database& database) {
  // avg is weighted by the number of samples where two parts of an hour meet.
  auto insert = database.prepare(
      "INSERT INTO hour(instance, counter, hour, count, min, max, avg, last) VALUES(?1, ?2, ?3, ?4, ?5, ?6, "
      "?7, ?8) "
      "ON CONFLICT DO UPDATE SET avg=(avg*count+excluded.avg*excluded.count)/(count+excluded.count), "
      "count=count+excluded.count, min=min(min,excluded.min), max=max(max,excluded.max), last=excluded.last");
  if (!insert) return tl::unexpected<Error>(insert.error());
  return HourRows(database, std::move(*insert));
}

Result<std::int64_t> HourRows::counter_id(const std::string& name) {
  if (const auto found = counters_.find(name); found != counters_.end()) return found->second;
  auto insert = database_->prepare("INSERT OR IGNORE INTO counter_name(name) VALUES(?1)");
  if (!insert) return tl::unexpected<Error>(insert.error());
  insert->bind(1, std::string_view(name));
  if (const auto inserted = insert->run(); !inserted) return tl::unexpected<Error>(inserted.error());
  auto select = database_->prepare("SELECT id FROM counter_name WHERE name=?1");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, std::string_view(name));
  const auto row = select->step();
  if (!row) return tl::unexpected<Error>(row.error());
  if (!*row) return fail(ErrorCode::internal, "a counter's name was not stored");
  return counters_[name] = select->integer(0);
}

Result<void> HourRows::add(std::int64_t instance, const std::string& counter,
                           std::span<const query::TierPoint> minutes) {
  if (minutes.empty()) return {};
  const auto id = counter_id(counter);
  if (!id) return tl::unexpected<Error>(id.error());
  for (std::size_t begin = 0; begin < minutes.size();) {
    const std::int64_t hour = minutes[begin].time_ms / kHourMs;
    query::TierPoint sum = minutes[begin];
    double weighted = sum.average * sum.weight_s;
    std::size_t end = begin + 1;
    for (; end < minutes.size() && minutes[end].time_ms / kHourMs == hour; ++end) {
      const query::TierPoint& minute = minutes[end];
      weighted += minute.average * minute.weight_s;
      sum.weight_s += minute.weight_s;
      sum.minimum = std::min(sum.minimum, minute.minimum);
      sum.maximum = std::max(sum.maximum, minute.maximum);
      sum.last = minute.last;
      sum.count += minute.count;
    }
    insert_.bind(1, instance)
        .bind(2, *id)
        .bind(3, hour)
        .bind(4, static_cast<std::int64_t>(sum.count))
        .bind(5, sum.minimum)
        .bind(6, sum.maximum)
        .bind(7, sum.weight_s > 0 ? weighted / sum.weight_s : sum.average)
        .bind(8, sum.last);
    if (const auto inserted = insert_.run(); !inserted) return inserted;
    begin = end;
  }
  return {};
}

}  // namespace countertop::history
