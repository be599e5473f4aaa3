#include "server/history/tick_store.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "server/history/layout.hpp"

namespace countertop::history {

namespace {

/// The wall clock may be slewed against the monotonic one; a jump of more than this begins a new segment.
constexpr std::int64_t kClockStepMs = 500;

double monotonic_seconds(const TimeBase& time) {
  if (time.perf_frequency <= 0) return 0;
  return static_cast<double>(time.perf_time) / static_cast<double>(time.perf_frequency);
}

/// True when `newer` does not follow `older` on the same clocks: a step of the wall clock, a suspend, another
/// boot.
bool is_break(const TimeBase& older, const TimeBase& newer) {
  if (older.perf_frequency != newer.perf_frequency || older.perf_time > newer.perf_time) return true;
  const std::int64_t wall_ms = newer.wall_ms - older.wall_ms;
  if (wall_ms <= 0) return true;
  const double elapsed_ms = 1000 * (monotonic_seconds(newer) - monotonic_seconds(older));
  return std::abs(static_cast<double>(wall_ms) - elapsed_ms) > static_cast<double>(kClockStepMs);
}

std::string why_unsound(const Snapshot& snapshot) {
  if (snapshot.object == nullptr) return "a snapshot without an object";
  const std::string who = "a snapshot of '" + snapshot.object->name + "' ";
  const std::size_t fields = snapshot.object->fields.size();
  if (fields == 0 || fields > kMaxTickFields) return who + "has " + std::to_string(fields) + " fields";
  if (snapshot.instances.size() > kMaxTickInstances) return who + "has too many instances";
  if (snapshot.values.size() != snapshot.instances.size() * fields)
    return who + "has rows of the wrong length";
  return {};
}

}  // namespace

Result<void> TickStore::open(Database& database, const std::string& host) {
  database_ = &database;
  encoder_ = TickEncoder();
  row_is_open_ = false;
  last_window_ = -1;
  arrivals_.clear();
  if (const auto loaded = dictionary_.load(database, host); !loaded) return loaded;
  auto insert = database.prepare(
      "INSERT INTO tick(id, host, segment, wall_ms, is_key, v, arrivals) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  if (!insert) return tl::unexpected<Error>(insert.error());
  insert_ = std::move(*insert);
  const auto last_tick = database.integer("SELECT max(id) FROM tick");
  if (!last_tick) return tl::unexpected<Error>(last_tick.error());
  next_tick_ = last_tick->value_or(0) + 1;
  const auto last_segment = database.integer(
      "SELECT max((SELECT coalesce(max(segment), 0) FROM part), "
      "(SELECT coalesce(max(segment), 0) FROM tick))");
  if (!last_segment) return tl::unexpected<Error>(last_segment.error());
  segment_ = last_segment->value_or(0) + 1;
  return {};
}

Result<void> TickStore::store(std::span<const Snapshot* const> snapshots, std::int64_t now_ms,
                              WriteReport& report, std::vector<std::string>& problems) {
  // In the order in which they were read: whichever collector was late must not make windows alternate.
  std::vector<const Snapshot*> ordered(snapshots.begin(), snapshots.end());
  std::ranges::stable_sort(ordered, {}, [](const Snapshot* s) { return monotonic_seconds(s->time); });
  for (const Snapshot* snapshot : ordered) {
    if (std::string reason = why_unsound(*snapshot); !reason.empty()) {
      problems.push_back(std::move(reason));
      continue;
    }
    const auto stored = store_one(*snapshot, now_ms, report);
    if (stored) continue;
    const ErrorCode code = stored.error().code;
    if (code != ErrorCode::invalid_argument && code != ErrorCode::too_large) return stored;
    problems.push_back(stored.error().message);
  }
  return end_row(report);
}

Result<void> TickStore::store_one(const Snapshot& snapshot, std::int64_t now_ms, WriteReport& report) {
  const auto found = dictionary_.object_for(snapshot.object, now_ms);
  if (!found) return tl::unexpected<Error>(found.error());
  ObjectEntry& entry = **found;
  const std::int64_t window = window_of(snapshot.time.wall_ms);
  const bool breaks = entry.last_segment == segment_ && is_break(entry.last_time, snapshot.time);
  if (breaks || window != last_window_) {
    if (const auto ended = end_row(report); !ended) return ended;
    encoder_.restart();
  }
  if (breaks) ++segment_;
  if (!row_is_open_) begin_row(snapshot, window);
  const auto identified = dictionary_.identify(entry, snapshot.instances, snapshot.time.wall_ms, arrivals_);
  if (!identified) return identified;
  const auto added = encoder_.add(
      TickRecord{entry.id, snapshot.time, snapshot.object->fields.size(), entry.ids, snapshot.values});
  if (!added) {
    entry.names.clear();  // announced again with the next snapshot, for nobody saw this one
    entry.ids.clear();
    return added;
  }
  entry.last_time = snapshot.time;
  entry.last_segment = segment_;
  report.samples += snapshot.values.size();
  return {};
}

void TickStore::begin_row(const Snapshot& snapshot, std::int64_t window) {
  if (window != last_window_) dictionary_.forget_gone();
  last_window_ = window;
  row_wall_ms_ = snapshot.time.wall_ms;
  row_is_open_ = true;
  encoder_.begin();
}

Result<void> TickStore::end_row(WriteReport& report) {
  if (!row_is_open_) return {};
  row_is_open_ = false;
  const TickEncoder::Tick tick = encoder_.finish();
  insert_.bind(1, next_tick_)
      .bind(2, dictionary_.host_id())
      .bind(3, segment_)
      .bind(4, row_wall_ms_)
      .bind(5, std::int64_t{tick.is_key ? 1 : 0})
      .bind_blob(6, tick.bytes);
  arrivals_blob_.clear();
  for (const Arrival& arrival : arrivals_) append_arrival(arrival, arrivals_blob_);
  arrivals_.clear();
  if (arrivals_blob_.empty())
    insert_.bind_null(7);
  else
    insert_.bind_blob(7, arrivals_blob_);
  if (const auto inserted = insert_.run(); !inserted) return inserted;
  ++next_tick_;
  ++report.ticks;
  report.blob_bytes += tick.bytes.size() + arrivals_blob_.size();
  return {};
}

}  // namespace countertop::history
