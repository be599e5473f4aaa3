#include "server/history/maintenance.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "server/history/history_writer.hpp"
#include "server/history/layout.hpp"
#include "server/history/pruner.hpp"
#include "server/history/roll_up.hpp"
#include "server/history/sealer.hpp"
#include "server/history/store_file.hpp"

namespace countertop::history {

namespace {

constexpr double kDayMs = 86'400'000;
constexpr std::int64_t kHourOfMs = 3'600'000;
/// The rarer, the fewer pages are written twice; five minutes of ticks are about 3 MB of WAL.
constexpr std::int64_t kCheckpointEveryMs = 300'000;
/// A WAL of this size is made to end: readers and the writer wait for it.
constexpr std::uintmax_t kTruncateBytes = std::uintmax_t{16} << 20;
constexpr std::int64_t kTruncateEveryMs = 5'000;
constexpr std::size_t kMaxWarnings = 20;

std::optional<std::int64_t> or_none(const Result<std::optional<std::int64_t>>& value) {
  return value ? *value : std::nullopt;
}

}  // namespace

class Maintenance::Impl {
 public:
  Impl(Database database, std::filesystem::path directory, const RetentionPolicy& policy)
      : database_(std::move(database)),
        directory_(std::move(directory)),
        policy_(policy),
        sealer_(database_),
        roll_up_(database_),
        pruner_(database_, directory_, policy) {}

  Result<bool> step(std::int64_t now_ms) {
    auto more = work(now_ms);
    if (const auto checked = checkpoint(now_ms); !checked) return tl::unexpected<Error>(checked.error());
    if (const auto updated = update_status(now_ms); !updated) return tl::unexpected<Error>(updated.error());
    return more;
  }

  StoreStatus status() const {
    const std::lock_guard lock(mutex_);
    return status_;
  }

 private:
  /// What makes room comes first: a store at its cap must not grow on account of the rest.
  Result<bool> work(std::int64_t now_ms) {
    auto pruned = pruner_.step(now_ms);
    if (!pruned || *pruned) return pruned;
    auto sealed = sealer_.step(now_ms);
    warn(sealer_.take_problems());
    if (!sealed || *sealed) return sealed;
    auto rolled = roll_up_.step(now_ms);
    warn(roll_up_.take_problems());
    return rolled;
  }

  /// The writer leaves checkpoints to us, so that no tick waits for one.
  Result<void> checkpoint(std::int64_t now_ms) {
    std::error_code missing;
    const auto bytes = std::filesystem::file_size(directory_ / (std::string(kDatabaseFileName) + "-wal"), missing);
    const bool is_large = !missing && bytes > kTruncateBytes;
    if (now_ms >= last_checkpoint_ms_ && now_ms - last_checkpoint_ms_ < (is_large ? kTruncateEveryMs : kCheckpointEveryMs))
      return {};
    last_checkpoint_ms_ = now_ms;
    const auto done = database_.integer(is_large ? "PRAGMA wal_checkpoint(TRUNCATE)" : "PRAGMA wal_checkpoint(PASSIVE)");
    if (!done && done.error().code != ErrorCode::busy) return tl::unexpected<Error>(done.error());
    return {};
  }

  Result<void> update_status(std::int64_t now_ms) {
    const auto size = measure_store(database_, directory_);
    if (!size) return tl::unexpected<Error>(size.error());
    StoreStatus status;
    status.bytes = size->directory;
    status.max_bytes = policy_.max_bytes;
    status.wal_bytes = size->wal;
    const auto oldest_tick = or_none(database_.integer("SELECT wall_ms FROM tick ORDER BY id LIMIT 1"));
    status.newest_ms = or_none(database_.integer("SELECT wall_ms FROM tick ORDER BY id DESC LIMIT 1"));
    status.oldest_raw_ms = or_none(database_.integer("SELECT first_ms FROM part ORDER BY window LIMIT 1"));
    if (!status.oldest_raw_ms) status.oldest_raw_ms = oldest_tick;
    if (!status.newest_ms)
      status.newest_ms = or_none(database_.integer("SELECT last_ms FROM part ORDER BY window DESC LIMIT 1"));
    status.oldest_minute_ms = or_none(database_.integer("SELECT min(first_ms) FROM minute_part"));
    if (now_ms >= next_hour_look_ms_) {
      next_hour_look_ms_ = now_ms + kHourOfMs;  // it reads the whole table
      oldest_hour_ms_ = or_none(database_.integer("SELECT min(hour) * 3600000 FROM hour"));
    }
    status.oldest_hour_ms = oldest_hour_ms_;
    forecast(*size, now_ms, status);
    status.damaged_files = files_set_aside(directory_);
    const std::lock_guard lock(mutex_);
    status.warnings = status_.warnings;
    status_ = std::move(status);
    return {};
  }

  /// From what the stored span took: honest once there is more than an hour of it.
  void forecast(const StoreSize& size, std::int64_t now_ms, StoreStatus& status) const {
    if (!status.oldest_raw_ms || now_ms - *status.oldest_raw_ms < kHourOfMs) return;
    const double days = static_cast<double>(now_ms - *status.oldest_raw_ms) / kDayMs;
    const auto used = static_cast<double>(size.used() - size.wal - size.set_aside);
    status.bytes_per_day = used / days;
    if (status.bytes_per_day <= 0) return;
    const double left = (static_cast<double>(pruner_.soft_limit()) - used) / status.bytes_per_day;
    if (days + left < static_cast<double>(policy_.raw_days)) status.days_left = std::max(0.0, left);
  }

  void warn(std::vector<std::string> problems) {
    if (problems.empty()) return;
    const std::lock_guard lock(mutex_);
    for (std::string& problem : problems) {
      if (std::ranges::find(status_.warnings, problem) != status_.warnings.end()) continue;
      if (status_.warnings.size() == kMaxWarnings) status_.warnings.erase(status_.warnings.begin());
      status_.warnings.push_back(std::move(problem));
    }
  }

  Database database_;
  const std::filesystem::path directory_;
  const RetentionPolicy policy_;
  Sealer sealer_;
  RollUp roll_up_;
  Pruner pruner_;
  std::int64_t last_checkpoint_ms_ = 0;
  std::int64_t next_hour_look_ms_ = 0;
  std::optional<std::int64_t> oldest_hour_ms_;

  mutable std::mutex mutex_;
  StoreStatus status_;  // guarded by mutex_
};

Maintenance::Maintenance(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Maintenance::~Maintenance() = default;

Result<std::unique_ptr<Maintenance>> Maintenance::open(const std::filesystem::path& directory,
                                                       const RetentionPolicy& policy) {
  if (const auto checked = check_policy(policy); !checked) return tl::unexpected<Error>(checked.error());
  auto database = open_configured(directory / kDatabaseFileName, Database::Mode::read_write);
  if (!database) return tl::unexpected<Error>(database.error());
  return std::unique_ptr<Maintenance>(
      new Maintenance(std::make_unique<Impl>(std::move(*database), directory, policy)));
}

Result<bool> Maintenance::step(std::int64_t now_ms) { return impl_->step(now_ms); }

Result<void> Maintenance::run(std::int64_t now_ms) {
  for (;;) {
    const auto more = impl_->step(now_ms);
    if (!more) return tl::unexpected<Error>(more.error());
    if (!*more) return {};
  }
}

StoreStatus Maintenance::status() const { return impl_->status(); }

}  // namespace countertop::history
