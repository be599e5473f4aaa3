#include "server/history/retention.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "server/history/layout.hpp"

namespace countertop::history {

namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kRowsPerSlice = 2000;
constexpr std::int64_t kInstancesPerSlice = 2000;
constexpr std::int64_t kMinuteRowsPerSlice = 1000;
/// By size go, in this order: seconds beyond a day, minutes beyond two, seconds beyond an hour, minutes, the
/// rest.
constexpr std::int64_t kKeptRawWindows = kDayMs / kWindowMs;
constexpr std::int64_t kKeptMinuteWindows = 2 * kDayMs / kMinuteWindowMs;
constexpr std::int64_t kLeastRawWindows = kHourMs / kWindowMs;
constexpr std::int64_t kPagesPerSlice = 256;

/// What may come before the next look: a WAL, a window being sealed.
std::int64_t headroom(std::int64_t max_bytes) {
  return std::max<std::int64_t>(max_bytes / 8, std::int64_t{4} << 20);
}

}  // namespace

Result<void> check_policy(const RetentionPolicy& policy) {
  if (policy.max_bytes < kMinStoreBytes)
    return fail(ErrorCode::invalid_argument,
                "the store's size limit of " + std::to_string(policy.max_bytes) + " bytes is too small",
                "Set it to 16 MiB (" + std::to_string(kMinStoreBytes) + " bytes) or more.");
  if (policy.raw_days < 1 || policy.minute_days < 1 || policy.hour_days < 1)
    return fail(ErrorCode::invalid_argument, "each tier is kept for one day at least",
                "Set the number of days to 1 or more.");
  return {};
}

Result<void> Retention::run(const char* sql, std::int64_t first, std::int64_t second) {
  auto statement = database_.prepare(sql);
  if (!statement) return tl::unexpected<Error>(statement.error());
  statement->bind(1, first).bind(2, second);
  return statement->run();
}

Result<bool> Retention::step(std::int64_t now_ms, const Sizes& sizes, std::int64_t& roll_below) {
  roll_below = 0;
  const auto older = by_age(now_ms);
  if (!older || *older) return older;
  const auto smaller = by_size(sizes, roll_below);
  if (!smaller || *smaller || roll_below != 0) return smaller;
  const auto dead = drop_dead_instances();
  if (!dead || *dead) return dead;
  return shrink(sizes);
}

Result<bool> Retention::by_age(std::int64_t now_ms) {
  const auto raw = database_.integer("SELECT min(window) FROM part");
  if (!raw) return tl::unexpected<Error>(raw.error());
  if (raw->has_value() && **raw < window_of(now_ms - policy_.raw_days * kDayMs))
    return drop_raw_window(**raw);
  const auto minute = database_.integer("SELECT min(window) FROM minute_part");
  if (!minute) return tl::unexpected<Error>(minute.error());
  if (minute->has_value() && **minute < minute_window_of(now_ms - policy_.minute_days * kDayMs))
    return drop_minutes(**minute, kMaxMinutePart);
  const std::int64_t hour = (now_ms - policy_.hour_days * kDayMs) / kHourMs;
  return hour > hours_done_ ? drop_hours_before(hour) : Result<bool>(false);
}

Result<bool> Retention::by_size(const Sizes& sizes, std::int64_t& roll_below) {
  if (sizes.used <= policy_.max_bytes - headroom(policy_.max_bytes)) return false;
  const auto first_raw = database_.integer("SELECT min(window) FROM part");
  if (!first_raw) return tl::unexpected<Error>(first_raw.error());
  const auto last_raw = database_.integer("SELECT max(window) FROM part");
  if (!last_raw) return tl::unexpected<Error>(last_raw.error());
  const auto first_minute = database_.integer("SELECT min(window) FROM minute_part");
  if (!first_minute) return tl::unexpected<Error>(first_minute.error());
  const auto last_minute = database_.integer("SELECT max(window) FROM minute_part");
  if (!last_minute) return tl::unexpected<Error>(last_minute.error());

  const std::int64_t raw_windows = first_raw->has_value() ? **last_raw - **first_raw + 1 : 0;
  const std::int64_t minute_windows = first_minute->has_value() ? **last_minute - **first_minute + 1 : 0;
  const bool minutes_may_stay = minute_windows <= kKeptMinuteWindows && raw_windows > kLeastRawWindows;
  if (raw_windows > kKeptRawWindows || minutes_may_stay || (raw_windows > 0 && minute_windows == 0)) {
    const auto not_rolled =
        database_.integer("SELECT 1 FROM part WHERE rolled<2 AND window=(SELECT min(window) FROM part)");
    if (!not_rolled) return tl::unexpected<Error>(not_rolled.error());
    if (not_rolled->has_value()) {
      roll_below = **first_raw + 1;
      return true;
    }
    return drop_raw_window(**first_raw);
  }
  if (minute_windows > 0) {
    // The oldest part alone: where room is scarce, a window has one for each stretch of seconds that had to
    // go.
    const auto first_part = database_.integer(
        "SELECT min(part) FROM minute_part WHERE window=(SELECT min(window) FROM minute_part)");
    if (!first_part) return tl::unexpected<Error>(first_part.error());
    return drop_minutes(**first_minute, first_part->value_or(kMaxMinutePart));
  }
  const auto first_hour = database_.integer("SELECT min(hour) FROM hour");
  if (!first_hour) return tl::unexpected<Error>(first_hour.error());
  return first_hour->has_value() ? drop_hours_before(**first_hour + 24) : Result<bool>(false);
}

Result<bool> Retention::drop_raw_window(std::int64_t window) {
  // Everything up to the window, so that nothing is left behind by odd clocks; its part row goes last.
  for (const char* sql :
       {"DELETE FROM chunk WHERE id IN (SELECT id FROM chunk WHERE id<?1 LIMIT ?2)",
        "DELETE FROM brief_instance WHERE id IN (SELECT id FROM brief_instance WHERE id<?1 LIMIT ?2)"}) {
    if (const auto done = run(sql, pack_id(window + 1, 0, 0), kRowsPerSlice); !done)
      return tl::unexpected<Error>(done.error());
    if (database_.changes() > 0) return true;
  }
  if (const auto done = run("DELETE FROM part WHERE window<=?1", window); !done)
    return tl::unexpected<Error>(done.error());
  instances_are_due_ = true;
  return true;
}

/// Rows are keyed by instance, so each instance that was there by then is visited; the part rows go last.
Result<bool> Retention::drop_minutes(std::int64_t window, std::int64_t part) {
  auto select = database_.prepare(
      "SELECT id FROM instance WHERE id>?1 AND role=0 AND first_ms<?2 ORDER BY id LIMIT ?3");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, minutes_done_).bind(2, (window + 1) * kMinuteWindowMs).bind(3, kInstancesPerSlice);
  std::vector<std::int64_t> instances;
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) break;
    instances.push_back(select->integer(0));
  }
  std::int64_t dropped = 0;
  for (const std::int64_t instance : instances) {
    const auto rows = drop_minutes_of(instance, window, part);
    if (!rows) return tl::unexpected<Error>(rows.error());
    minutes_done_ = instance;
    dropped += *rows;
    if (dropped >= kMinuteRowsPerSlice) break;
  }
  if (!instances.empty()) return true;
  minutes_done_ = 0;
  if (const auto last =
          run("DELETE FROM minute_part WHERE window<?1 OR (window=?1 AND part<=?2)", window, part);
      !last)
    return tl::unexpected<Error>(last.error());
  instances_are_due_ = true;
  return true;
}

/// Goes from counter to counter, and takes everything up to the part, so that odd clocks leave nothing
/// behind.
Result<std::int64_t> Retention::drop_minutes_of(std::int64_t instance, std::int64_t window,
                                                std::int64_t part) {
  auto find = database_.prepare("SELECT id FROM minute WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT 1");
  if (!find) return tl::unexpected<Error>(find.error());
  const std::int64_t end = pack_minute_id(instance + 1, 0, 0, 0) - 1;
  std::int64_t dropped = 0;
  for (std::int64_t at = pack_minute_id(instance, 0, 0, 0); at <= end;) {
    find->bind(1, at).bind(2, end);
    const auto row = find->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) break;
    const std::int64_t id = find->integer(0);
    find->reset();
    const std::int64_t counter = counter_of_minute_id(id);
    const std::int64_t last = pack_minute_id(instance, counter, window, part);
    if (id <= last) {
      if (const auto done = run("DELETE FROM minute WHERE id BETWEEN ?1 AND ?2", id, last); !done)
        return tl::unexpected<Error>(done.error());
      dropped += database_.changes();
    }
    at = pack_minute_id(instance, counter + 1, 0, 0);
  }
  return dropped;
}

Result<bool> Retention::drop_hours_before(std::int64_t hour) {
  // The key begins with the instance, so this looks at every row: once an hour is enough.
  const auto done =
      run("DELETE FROM hour WHERE (instance, counter, hour) IN "
          "(SELECT instance, counter, hour FROM hour WHERE hour<?1 LIMIT ?2)",
          hour, kRowsPerSlice);
  if (!done) return tl::unexpected<Error>(done.error());
  if (database_.changes() > 0) {
    instances_are_due_ = true;
    return true;
  }
  hours_done_ = hour;
  return false;
}

Result<bool> Retention::drop_dead_instances() {
  if (!instances_are_due_) return false;
  const auto done =
      run("DELETE FROM instance WHERE id IN (SELECT id FROM instance WHERE role=0 AND last_ms<min("
          "coalesce((SELECT min(window)*?2 FROM minute_part), 9e15),"
          "coalesce((SELECT min(window)*1200000 FROM part), 9e15),"
          "coalesce((SELECT min(wall_ms) FROM tick), 9e15)) "
          "AND NOT EXISTS (SELECT 1 FROM hour WHERE hour.instance=instance.id) LIMIT ?1)",
          kRowsPerSlice, kMinuteWindowMs);
  if (!done) return tl::unexpected<Error>(done.error());
  if (database_.changes() > 0) return true;
  instances_are_due_ = false;
  return false;
}

Result<bool> Retention::shrink(const Sizes& sizes) {
  const std::int64_t free_bytes = sizes.total - sizes.used;
  // Free pages are used again; they are given back when they are many or when the directory nears its limit.
  const bool is_near_limit = sizes.total > policy_.max_bytes - headroom(policy_.max_bytes) / 2;
  const bool is_much = free_bytes > sizes.total / 4 && free_bytes > (std::int64_t{8} << 20);
  if (free_bytes < (std::int64_t{1} << 20) || (!is_near_limit && !is_much)) return false;
  const auto freed = database_.execute("PRAGMA incremental_vacuum(" + std::to_string(kPagesPerSlice) + ")");
  if (!freed) return tl::unexpected<Error>(freed.error());
  return true;
}

}  // namespace countertop::history
