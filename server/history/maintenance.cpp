#include "server/history/maintenance.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>

#include "server/history/file_identity.hpp"
#include "server/history/history_writer.hpp"
#include "server/history/layout.hpp"
#include "server/history/roller.hpp"
#include "server/history/sealer.hpp"
#include "server/history/store_file.hpp"

namespace countertop::history {

namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kStatusIntervalMs = 5'000;
constexpr std::int64_t kLookIntervalMs = 10'000;
constexpr std::int64_t kPageBytes = 4096;
/// The WAL is written back into the file and cut beyond this.
constexpr std::int64_t kMaxWalBytes = std::int64_t{4} << 20;
constexpr std::int64_t kCheckpointPauseMs = 2'000;
/// What interior pages, tiers and names add to the chunks.
constexpr double kOverhead = 1.15;

std::int64_t size_of(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  return error ? 0 : static_cast<std::int64_t>(size);
}

std::int64_t directory_size(const std::filesystem::path& directory) {
  std::int64_t total = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    std::error_code gone;
    if (entry.is_regular_file(gone)) total += size_of(entry.path());
  }
  return total;
}

}  // namespace

class Maintenance::Impl {
 public:
  Impl(std::filesystem::path directory, const RetentionPolicy& policy)
      : directory_(std::move(directory)), policy_(policy) {}

  Result<void> connect();
  Result<bool> step(std::int64_t now_ms);
  StoreStatus status() const {
    const std::lock_guard lock(mutex_);
    return status_;
  }

 private:
  Result<bool> work(std::int64_t now_ms);
  Result<void> checkpoint(std::int64_t now_ms);
  Result<Retention::Sizes> measure();
  bool drop_damaged_file(const Retention::Sizes& sizes);
  Result<void> refresh_status(std::int64_t now_ms);
  struct Stretch {
    std::int64_t bytes = 0, covered_ms = 0;
  };
  Result<double> bytes_per_day();
  Result<std::int64_t> sealed_bytes(std::int64_t window, std::int64_t part, std::int64_t first_ms,
                                    std::int64_t last_ms);
  [[nodiscard]] std::filesystem::path file() const { return directory_ / kDatabaseFileName; }

  const std::filesystem::path directory_;
  const RetentionPolicy policy_;
  std::uint64_t identity_ = 0;
  Database database_;  // before those that borrow it
  std::optional<Sealer> sealer_;
  std::optional<Roller> roller_;
  std::optional<Retention> retention_;
  std::int64_t roll_below_ = 0;
  std::int64_t next_status_ms_ = 0;
  std::int64_t next_look_ms_ = 0;
  std::int64_t last_now_ms_ = 0;
  std::int64_t blocked_ms_ = 0;  // when a reader kept the WAL from being cut

  mutable std::mutex mutex_;
  StoreStatus status_;  // guarded by mutex_
};

Result<void> Maintenance::Impl::connect() {
  const std::uint64_t identity = file_identity(file());
  if (database_ && identity == identity_) return {};
  retention_.reset();
  roller_.reset();
  sealer_.reset();
  database_ = Database();
  auto opened = open_configured(file(), Database::Mode::read_write);
  if (!opened) return tl::unexpected<Error>(opened.error());
  database_ = std::move(*opened);
  if (const auto set = database_.execute("PRAGMA wal_autocheckpoint=0"); !set) return set;
  identity_ = identity;
  sealer_.emplace(database_);
  roller_.emplace(database_);
  retention_.emplace(database_, policy_);
  return {};
}

Result<bool> Maintenance::Impl::step(std::int64_t now_ms) {
  if (const auto connected = connect(); !connected) return tl::unexpected<Error>(connected.error());
  const auto more = work(now_ms);
  if (const auto done = checkpoint(now_ms); !done) return tl::unexpected<Error>(done.error());
  const bool clock_went_back = now_ms < last_now_ms_;
  last_now_ms_ = now_ms;
  if (clock_went_back || now_ms >= next_status_ms_ || (more && !*more && next_status_ms_ == 0)) {
    next_status_ms_ = now_ms + kStatusIntervalMs;
    if (const auto refreshed = refresh_status(now_ms); !refreshed)
      return tl::unexpected<Error>(refreshed.error());
  }
  return more;
}

Result<bool> Maintenance::Impl::work(std::int64_t now_ms) {
  // A busy database is no failure: the slice is made again.
  const auto sealed = sealer_->step(now_ms);
  if (!sealed || *sealed) return sealed;
  // The rest looks at whole tables: not each second.
  if (now_ms < next_look_ms_ && now_ms >= last_now_ms_) return false;
  const auto rolled = roller_->step(now_ms, roll_below_);
  if (!rolled || *rolled) return rolled;
  const auto sizes = measure();
  if (!sizes) return tl::unexpected<Error>(sizes.error());
  if (drop_damaged_file(*sizes)) return true;
  const auto dropped = retention_->step(now_ms, *sizes, roll_below_);
  if (dropped && !*dropped) next_look_ms_ = now_ms + kLookIntervalMs;
  return dropped;
}

Result<Retention::Sizes> Maintenance::Impl::measure() {
  const auto free_pages = database_.integer("PRAGMA freelist_count");
  if (!free_pages) return tl::unexpected<Error>(free_pages.error());
  Retention::Sizes sizes;
  sizes.total = directory_size(directory_) - size_of(file().string() + "-wal");
  sizes.used = sizes.total - free_pages->value_or(0) * kPageBytes;
  return sizes;
}

bool Maintenance::Impl::drop_damaged_file(const Retention::Sizes& sizes) {
  // A file set aside is kept while there is room; live data goes before it never.
  if (sizes.used <= policy_.max_bytes * 3 / 4) return false;
  const auto names = files_set_aside(directory_);
  if (names.empty()) return false;
  const std::filesystem::path oldest = directory_ / names.front();
  std::error_code error;
  const bool removed = std::filesystem::remove(oldest, error);
  for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(oldest.string() + suffix, error);
  return removed;
}

Result<void> Maintenance::Impl::checkpoint(std::int64_t now_ms) {
  // Not before the WAL is large: each checkpoint writes the page that ticks are appended to once more.
  const std::int64_t limit = std::min(kMaxWalBytes, policy_.max_bytes / 8);
  if (size_of(file().string() + "-wal") < limit) return {};
  if (now_ms >= blocked_ms_ && now_ms - blocked_ms_ < kCheckpointPauseMs) return {};
  // PASSIVE does the work without holding the writer back; TRUNCATE then has little left, but waits a moment
  // for readers to end their short transactions. Where one does not, the next attempt will.
  const auto done = database_.execute(
      "PRAGMA wal_checkpoint(PASSIVE); PRAGMA busy_timeout=100; PRAGMA wal_checkpoint(TRUNCATE); "
      "PRAGMA busy_timeout=10000");
  if (!done && done.error().code != ErrorCode::busy) return done;
  if (size_of(file().string() + "-wal") >= limit) blocked_ms_ = now_ms;
  return {};
}

/// Of the newest stretches; where nothing is sealed, of the seconds that are not sealed yet.
Result<double> Maintenance::Impl::bytes_per_day() {
  auto parts = database_.prepare(
      "SELECT window, part, first_ms, last_ms FROM part WHERE last_ms-first_ms>=60000 ORDER BY window DESC, "
      "part DESC LIMIT 6");
  if (!parts) return tl::unexpected<Error>(parts.error());
  Stretch sum;
  for (;;) {
    const auto row = parts->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) break;
    const auto one = sealed_bytes(parts->integer(0), parts->integer(1), parts->integer(2), parts->integer(3));
    if (!one) return tl::unexpected<Error>(one.error());
    sum.bytes += *one;
    sum.covered_ms += parts->integer(3) - parts->integer(2);
  }
  if (sum.covered_ms == 0) {
    // Stretches that were sealed and had to go at once, for want of room.
    auto ticks = database_.prepare(
        "SELECT coalesce(sum(length(v)+coalesce(length(arrivals), 0)), 0), max(wall_ms)-min(wall_ms) FROM "
        "tick WHERE EXISTS (SELECT 1 FROM minute_part)");
    if (!ticks) return tl::unexpected<Error>(ticks.error());
    const auto row = ticks->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (*row && ticks->integer(1) > 0) sum = {ticks->integer(0), ticks->integer(1)};
  }
  if (sum.covered_ms == 0) return 0.0;
  return kOverhead * static_cast<double>(sum.bytes) * static_cast<double>(kDayMs) /
         static_cast<double>(sum.covered_ms);
}

/// Chunks, summaries of the short-lived, and the rows of instances that ended in the stretch: as many as
/// began.
Result<std::int64_t> Maintenance::Impl::sealed_bytes(std::int64_t window, std::int64_t part,
                                                     std::int64_t first_ms, std::int64_t last_ms) {
  constexpr std::int64_t kInstanceBytes = 150;  // with its entries in two indexes
  const std::int64_t first_id = pack_id(window, part, 0);
  const std::int64_t last_id = pack_id(window, part, kMaxInstance);
  const std::tuple<const char*, std::int64_t, std::int64_t, std::int64_t> sums[] = {
      {"SELECT sum(length(v)+12) FROM chunk WHERE id BETWEEN ?1 AND ?2", first_id, last_id, 1},
      {"SELECT sum(length(name)+length(totals)+40) FROM brief_instance WHERE id BETWEEN ?1 AND ?2", first_id,
       last_id, 1},
      {"SELECT count(*) FROM object CROSS JOIN instance ON instance.object=object.id "
       "WHERE last_ms BETWEEN ?1 AND ?2",
       first_ms, last_ms, kInstanceBytes}};
  std::int64_t bytes = 0;
  for (const auto& [sql, first, last, factor] : sums) {
    auto select = database_.prepare(sql);
    if (!select) return tl::unexpected<Error>(select.error());
    select->bind(1, first).bind(2, last);
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (*row) bytes += factor * select->integer(0);
  }
  return bytes;
}

Result<void> Maintenance::Impl::refresh_status(std::int64_t now_ms) {
  StoreStatus status;
  const auto sizes = measure();
  if (!sizes) return tl::unexpected<Error>(sizes.error());
  status.bytes = directory_size(directory_);
  status.max_bytes = policy_.max_bytes;
  status.wal_bytes = size_of(file().string() + "-wal");
  status.damaged_files = files_set_aside(directory_);
  const std::pair<std::optional<std::int64_t>*, std::string> oldest[] = {
      {&status.oldest_raw_ms, "SELECT min(first_ms) FROM part WHERE window=(SELECT min(window) FROM part)"},
      {&status.oldest_minute_ms,
       "SELECT min(first_ms) FROM minute_part WHERE window=(SELECT min(window) FROM minute_part)"},
      {&status.oldest_hour_ms, "SELECT hour*3600000 FROM hour ORDER BY instance, counter, hour LIMIT 1"},
      {&status.newest_ms, "SELECT wall_ms FROM tick ORDER BY id DESC LIMIT 1"}};
  for (const auto& [value, sql] : oldest) {
    const auto read = database_.integer(sql);
    if (!read) return tl::unexpected<Error>(read.error());
    *value = *read;
  }
  if (!status.oldest_raw_ms) {
    const auto tick = database_.integer("SELECT wall_ms FROM tick ORDER BY id LIMIT 1");
    if (!tick) return tl::unexpected<Error>(tick.error());
    status.oldest_raw_ms = *tick;
  }
  const auto rate = bytes_per_day();
  if (!rate) return tl::unexpected<Error>(rate.error());
  status.bytes_per_day = *rate;
  if (*rate > 0 && status.oldest_raw_ms) {
    const double room = static_cast<double>(std::max<std::int64_t>(policy_.max_bytes - sizes->used, 0));
    const double days = room / *rate;
    const double age_days = static_cast<double>(now_ms - *status.oldest_raw_ms) / static_cast<double>(kDayMs);
    if (days < static_cast<double>(policy_.raw_days) - age_days) {
      status.days_left = days;
      const double kept = static_cast<double>(policy_.max_bytes) / *rate;
      if (kept < static_cast<double>(policy_.raw_days))
        status.warnings.push_back("At the present rate the size limit keeps about " +
                                  std::to_string(static_cast<int>(kept)) + " days of seconds, not " +
                                  std::to_string(policy_.raw_days) + ".");
    }
  }
  for (const std::string& name : status.damaged_files)
    status.warnings.push_back("A damaged data file was set aside as " + name + ".");
  const std::lock_guard lock(mutex_);
  status_ = std::move(status);
  return {};
}

Maintenance::Maintenance(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Maintenance::~Maintenance() = default;

Result<std::unique_ptr<Maintenance>> Maintenance::open(const std::filesystem::path& directory,
                                                       const RetentionPolicy& policy) {
  if (const auto sound = check_policy(policy); !sound) return tl::unexpected<Error>(sound.error());
  auto impl = std::make_unique<Impl>(directory, policy);
  if (const auto connected = impl->connect(); !connected) return tl::unexpected<Error>(connected.error());
  return std::unique_ptr<Maintenance>(new Maintenance(std::move(impl)));
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
