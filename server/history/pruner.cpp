#include "server/history/pruner.hpp"

#include <algorithm>
#include <string>

#include "server/history/history_writer.hpp"
#include "server/history/layout.hpp"
#include "server/history/store_file.hpp"

namespace countertop::history {

namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kSlowRoundMs = 600'000;
/// Pages given back to the file system at a time: a few milliseconds.
constexpr std::int64_t kVacuumPages = 256;
/// Free pages that stay for the next window's chunks.
constexpr std::int64_t kKeptFreeBytes = std::int64_t{1} << 20;

}  // namespace

Result<StoreSize> measure_store(Database& database, const std::filesystem::path& directory) {
  StoreSize size;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    std::error_code gone;  // a file may go while we look
    const auto bytes = entry.is_regular_file(gone) ? static_cast<std::int64_t>(entry.file_size(gone)) : 0;
    if (gone || bytes < 0) continue;
    size.directory += bytes;
    const std::string name = entry.path().filename().string();
    if (name == std::string(kDatabaseFileName) + "-wal") size.wal = bytes;
    if (name.find(".damaged-") != std::string::npos) size.set_aside += bytes;
  }
  if (error)
    return fail(ErrorCode::io, "the data directory cannot be listed: " + error.message(), {}, error.value());
  const auto free = database.integer("SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size");
  if (!free) return tl::unexpected<Error>(free.error());
  size.free_pages = free->value_or(0);
  return size;
}

std::int64_t Pruner::soft_limit() const {
  // The WAL grows to 4 MB between checkpoints, which in a small store is a good part of it.
  return policy_.max_bytes - std::min<std::int64_t>(policy_.max_bytes / 8, std::int64_t{16} << 20);
}

Result<void> Pruner::run(const char* sql, std::int64_t first, std::int64_t second) {
  auto statement = database_->prepare(sql);
  if (!statement) return tl::unexpected<Error>(statement.error());
  statement->bind(1, first).bind(2, second);
  return statement->run();
}

Result<void> Pruner::remove_raw_window(std::int64_t window) {
  auto transaction = Transaction::begin(*database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  const std::int64_t first = pack_id(window, 0, 0);
  const std::int64_t last = pack_id(window, kMaxPart, kMaxInstance);
  for (const char* sql : {"DELETE FROM chunk WHERE id BETWEEN ?1 AND ?2",
                          "DELETE FROM brief_instance WHERE id BETWEEN ?1 AND ?2"}) {
    if (const auto removed = run(sql, first, last); !removed) return removed;
  }
  if (const auto removed = run("DELETE FROM part WHERE window BETWEEN ?1 AND ?2", window, window); !removed)
    return removed;
  return transaction->commit();
}

Result<void> Pruner::remove_minute_window(std::int64_t window) {
  auto transaction = Transaction::begin(*database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  const auto minutes = run("DELETE FROM minute WHERE id BETWEEN ?1 AND ?2", pack_id(window, 0, 0),
                           pack_id(window, kMaxPart, kMaxInstance));
  if (!minutes) return minutes;
  if (const auto parts = run("DELETE FROM minute_part WHERE window BETWEEN ?1 AND ?2", window, window); !parts)
    return parts;
  return transaction->commit();
}

Result<bool> Pruner::prune_by_age(std::int64_t now_ms) {
  // Windows whose minutes are not built yet stay, whatever their age: a machine that was off for a month.
  auto raw = database_->prepare("SELECT min(window) FROM part WHERE window<?1 AND rolled=?2");
  if (!raw) return tl::unexpected<Error>(raw.error());
  raw->bind(1, window_of(now_ms - policy_.raw_days * kDayMs)).bind(2, std::int64_t{kRolled});
  const auto row = raw->step();
  if (!row) return tl::unexpected<Error>(row.error());
  if (*row && !raw->is_null(0)) {
    const std::int64_t window = raw->integer(0);
    raw->reset();
    if (const auto removed = remove_raw_window(window); !removed) return tl::unexpected<Error>(removed.error());
    return true;
  }
  const auto minute = database_->integer("SELECT min(window) FROM minute_part");
  if (!minute) return tl::unexpected<Error>(minute.error());
  if (minute->has_value() && **minute < window_of(now_ms - policy_.minute_days * kDayMs, kMinuteWindowMs)) {
    if (const auto removed = remove_minute_window(**minute); !removed) return tl::unexpected<Error>(removed.error());
    return true;
  }
  if (now_ms < next_slow_round_ms_) return false;
  next_slow_round_ms_ = now_ms + kSlowRoundMs;
  const std::int64_t oldest_ms = now_ms - policy_.hour_days * kDayMs;
  if (const auto hours = run("DELETE FROM hour WHERE hour<?1 AND ?2=0", oldest_ms / kHourMs, 0); !hours)
    return tl::unexpected<Error>(hours.error());
  if (const auto marks = run("DELETE FROM mark WHERE wall_ms<?1 AND ?2=0", oldest_ms, 0); !marks)
    return tl::unexpected<Error>(marks.error());
  return prune_instances();
}

/// Instances without chunks, minutes or hours: processes that ended before everything that is left.
Result<bool> Pruner::prune_instances() {
  const auto oldest = database_->integer(
      "SELECT min(ms) FROM (SELECT min(first_ms) AS ms FROM part UNION ALL SELECT min(first_ms) FROM minute_part "
      "UNION ALL SELECT min(wall_ms) FROM tick)");
  if (!oldest) return tl::unexpected<Error>(oldest.error());
  if (!oldest->has_value()) return false;
  auto remove = database_->prepare(
      "DELETE FROM instance WHERE id IN (SELECT id FROM instance WHERE role=0 AND last_ms<?1 AND NOT EXISTS "
      "(SELECT 1 FROM hour WHERE hour.instance=instance.id) LIMIT 5000)");
  if (!remove) return tl::unexpected<Error>(remove.error());
  remove->bind(1, **oldest - kWindowMs);
  if (const auto removed = remove->run(); !removed) return tl::unexpected<Error>(removed.error());
  if (database_->changes() == 0) return false;
  next_slow_round_ms_ = 0;
  return true;
}

Result<bool> Pruner::remove_oldest_file_set_aside() {
  const auto files = files_set_aside(directory_);
  if (files.empty()) return false;
  for (const char* suffix : {"", "-wal", "-shm"}) {
    std::error_code missing;
    std::filesystem::remove(directory_ / (files.front() + suffix), missing);
  }
  return true;
}

Result<bool> Pruner::prune_by_size() {
  const auto size = measure_store(*database_, directory_);
  if (!size) return tl::unexpected<Error>(size.error());
  if (size->used() <= soft_limit()) return shrink_file(*size);
  // A damaged file was kept in case somebody can save something; the cap is hard.
  if (size->set_aside > 0) return remove_oldest_file_set_aside();
  const auto raw = database_->integer("SELECT min(window) FROM part");
  if (!raw) return tl::unexpected<Error>(raw.error());
  if (raw->has_value()) {
    if (const auto removed = remove_raw_window(**raw); !removed) return tl::unexpected<Error>(removed.error());
    next_slow_round_ms_ = 0;
    return true;
  }
  const auto minute = database_->integer("SELECT min(window) FROM minute_part");
  if (!minute) return tl::unexpected<Error>(minute.error());
  if (minute->has_value()) {
    if (const auto removed = remove_minute_window(**minute); !removed) return tl::unexpected<Error>(removed.error());
    next_slow_round_ms_ = 0;
    return true;
  }
  const auto hour = database_->integer("SELECT min(hour) FROM hour");
  if (!hour) return tl::unexpected<Error>(hour.error());
  if (!hour->has_value()) return shrink_file(*size);
  if (const auto removed = run("DELETE FROM hour WHERE hour BETWEEN ?1 AND ?2", **hour, **hour + 24 * 30); !removed)
    return tl::unexpected<Error>(removed.error());
  return true;
}

/// Free pages count on disk: beyond a reserve, or when the directory is near its cap, they are given back.
Result<bool> Pruner::shrink_file(const StoreSize& size) {
  const bool is_tight = size.directory > soft_limit();
  const std::int64_t kept = is_tight ? 0 : kKeptFreeBytes;
  if (size.free_pages <= kept) return false;
  const auto vacuumed = database_->execute("PRAGMA incremental_vacuum(" + std::to_string(kVacuumPages) + ")");
  if (!vacuumed) return tl::unexpected<Error>(vacuumed.error());
  return true;
}

Result<bool> Pruner::step(std::int64_t now_ms) {
  const auto aged = prune_by_age(now_ms);
  if (!aged || *aged) return aged;
  return prune_by_size();
}

}  // namespace countertop::history
