#include "server/history/history_writer.hpp"

#include <deque>
#include <mutex>
#include <utility>

#include "server/history/run_log.hpp"
#include "server/history/store_file.hpp"
#include "server/history/tick_store.hpp"

namespace countertop::history {

namespace {

/// A power cut costs at most the commits since the last one that waited for the disk.
constexpr std::uint64_t kCommitsPerSync = 10;
/// What waits in memory while nothing can be stored: over a minute of a machine with 300 processes.
constexpr std::size_t kMaxWaitingBytes = std::size_t{4} << 20;
constexpr std::size_t kMaxWaitingMarks = 1000;
constexpr std::size_t kMaxWarnings = 20;

std::size_t size_in_memory(const Snapshot& snapshot) {
  std::size_t bytes = sizeof(Snapshot) + snapshot.values.size() * sizeof(std::int64_t);
  for (const InstanceName& instance : snapshot.instances)
    bytes += sizeof(InstanceName) + instance.name.capacity();
  return bytes;
}

}  // namespace

class HistoryWriter::Impl {
 public:
  explicit Impl(WriterOptions options) : options_(std::move(options)) {}

  Result<void> open(std::int64_t now_ms);
  Result<WriteReport> write(std::vector<const Snapshot*> snapshots, std::span<const Mark> marks,
                            std::int64_t now_ms);
  Result<std::int64_t> add_mark(const Mark& mark);
  Result<void> delete_mark(std::int64_t id);
  Result<void> replace_damaged(const std::string& why, std::int64_t now_ms) {
    const std::lock_guard lock(mutex_);
    return set_aside(why, now_ms);
  }
  Result<void> close(std::int64_t now_ms);
  WriterState state() const {
    const std::lock_guard lock(state_mutex_);
    return state_;
  }

 private:
  Result<WriteReport> commit(std::span<const Snapshot* const> snapshots, std::int64_t now_ms);
  Result<void> insert_waiting_marks(std::int64_t now_ms);
  Result<void> set_aside(const std::string& why, std::int64_t now_ms);
  Result<void> set_synchronous(bool full);
  Result<void> begin_first_run(std::int64_t now_ms);
  void keep_waiting(std::span<const Snapshot* const> snapshots);
  void after_failure(const Error& error, std::int64_t now_ms);
  void warn(std::string warning);

  const WriterOptions options_;
  std::mutex mutex_;  // guards everything down to the next blank line
  Database database_;
  TickStore ticks_;
  std::int64_t run_ = 0;
  std::uint64_t commits_ = 0;
  bool is_full_sync_ = false;
  bool needs_reload_ = false;
  bool is_closed_ = false;
  std::int64_t no_space_since_ms_ = 0;  // 0: there is space
  std::deque<Snapshot> waiting_;
  std::size_t waiting_bytes_ = 0;
  std::vector<Mark> waiting_marks_;

  mutable std::mutex state_mutex_;
  WriterState state_;  // guarded by state_mutex_
};

Result<void> HistoryWriter::Impl::open(std::int64_t now_ms) {
  auto opened = open_store(options_.directory, now_ms);
  if (!opened) return tl::unexpected<Error>(opened.error());
  database_ = std::move(opened->database);
  if (!opened->set_aside_as.empty()) {
    const std::string text =
        "The data file was damaged (" + opened->damage + ") and set aside as " + opened->set_aside_as + ".";
    waiting_marks_.push_back(Mark{now_ms, MarkKind::store_damaged, text, 0});
    warn(text);
  }
  state_.damaged_files = files_set_aside(options_.directory);
  return begin_first_run(now_ms);
}

Result<void> HistoryWriter::Impl::begin_first_run(std::int64_t now_ms) {
  if (const auto loaded = ticks_.open(database_, options_.host); !loaded) return loaded;
  if (const auto set = set_synchronous(true); !set) return set;
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  const auto run = begin_run(database_, ticks_.host_id(), options_, now_ms);
  if (!run) return tl::unexpected<Error>(run.error());
  run_ = *run;
  if (const auto marked = insert_waiting_marks(now_ms); !marked) return marked;
  if (const auto committed = transaction->commit(); !committed) return committed;
  waiting_marks_.clear();
  return {};
}

Result<void> HistoryWriter::Impl::set_synchronous(bool full) {
  if (full == is_full_sync_ && commits_ > 0) return {};
  is_full_sync_ = full;
  return database_.execute(full ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
}

Result<void> HistoryWriter::Impl::insert_waiting_marks(std::int64_t now_ms) {
  for (const Mark& mark : waiting_marks_) {
    if (const auto inserted = insert_mark(database_, ticks_.host_id(), mark); !inserted)
      return tl::unexpected<Error>(inserted.error());
  }
  if (no_space_since_ms_ == 0) return {};
  const Mark full{no_space_since_ms_, MarkKind::disk_full, "The disk was full: nothing could be stored.",
                  now_ms};
  const Mark back{now_ms, MarkKind::disk_back, "There is room on the disk again: storing goes on.", 0};
  for (const Mark& mark : {full, back}) {
    if (const auto inserted = insert_mark(database_, ticks_.host_id(), mark); !inserted)
      return tl::unexpected<Error>(inserted.error());
  }
  return {};
}

Result<WriteReport> HistoryWriter::Impl::commit(std::span<const Snapshot* const> snapshots,
                                                std::int64_t now_ms) {
  if (needs_reload_) {
    if (const auto loaded = ticks_.open(database_, options_.host); !loaded)
      return tl::unexpected<Error>(loaded.error());
    needs_reload_ = false;
  }
  WriteReport report;
  report.full_sync = (commits_ + 1) % kCommitsPerSync == 0;
  if (const auto set = set_synchronous(report.full_sync); !set) return tl::unexpected<Error>(set.error());
  needs_reload_ = true;  // until the commit has succeeded
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  std::vector<std::string> problems;
  if (const auto stored = ticks_.store(snapshots, now_ms, report, problems); !stored)
    return tl::unexpected<Error>(stored.error());
  if (const auto marked = insert_waiting_marks(now_ms); !marked) return tl::unexpected<Error>(marked.error());
  if (const auto committed = transaction->commit(); !committed)
    return tl::unexpected<Error>(committed.error());
  needs_reload_ = false;
  ++commits_;
  for (std::string& problem : problems) warn(std::move(problem));
  return report;
}

Result<WriteReport> HistoryWriter::Impl::write(std::vector<const Snapshot*> snapshots,
                                               std::span<const Mark> marks, std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return fail(ErrorCode::unavailable, "the history was closed");
  waiting_marks_.insert(waiting_marks_.end(), marks.begin(), marks.end());
  if (!waiting_.empty()) {
    keep_waiting(snapshots);
    snapshots.clear();
    for (const Snapshot& snapshot : waiting_) snapshots.push_back(&snapshot);
  }
  auto report = commit(snapshots, now_ms);
  if (!report && report.error().code == ErrorCode::malformed) {
    if (const auto replaced = set_aside(report.error().message, now_ms); replaced)
      report = commit(snapshots, now_ms);
  }
  if (!report) {
    if (waiting_.empty()) keep_waiting(snapshots);
    after_failure(report.error(), now_ms);
    return report;
  }
  waiting_.clear();
  waiting_bytes_ = 0;
  waiting_marks_.clear();
  if (no_space_since_ms_ != 0) {
    no_space_since_ms_ = 0;
    const std::lock_guard state_lock(state_mutex_);
    state_.no_space = false;
  }
  return report;
}

void HistoryWriter::Impl::keep_waiting(std::span<const Snapshot* const> snapshots) {
  for (const Snapshot* snapshot : snapshots) {
    waiting_.push_back(*snapshot);
    waiting_bytes_ += size_in_memory(waiting_.back());
  }
  std::uint64_t dropped = 0;
  while (waiting_bytes_ > kMaxWaitingBytes && waiting_.size() > 1) {
    waiting_bytes_ -= size_in_memory(waiting_.front());
    waiting_.pop_front();
    ++dropped;
  }
  if (dropped == 0) return;
  const std::lock_guard lock(state_mutex_);
  state_.dropped_snapshots += dropped;
}

void HistoryWriter::Impl::after_failure(const Error& error, std::int64_t now_ms) {
  if (waiting_marks_.size() > kMaxWaitingMarks)
    waiting_marks_.erase(waiting_marks_.begin(),
                         waiting_marks_.end() - static_cast<std::ptrdiff_t>(kMaxWaitingMarks));
  if (error.code != ErrorCode::no_space || no_space_since_ms_ != 0) return;
  no_space_since_ms_ = now_ms;
  const std::lock_guard lock(state_mutex_);
  state_.no_space = true;
}

void HistoryWriter::Impl::warn(std::string warning) {
  const std::lock_guard lock(state_mutex_);
  auto& warnings = state_.warnings;
  if (!warnings.empty() && warnings.back() == warning) return;
  if (warnings.size() == kMaxWarnings) warnings.erase(warnings.begin());
  warnings.push_back(std::move(warning));
}

Result<void> HistoryWriter::Impl::set_aside(const std::string& why, std::int64_t now_ms) {
  ticks_ = TickStore();  // statements go before their connection
  database_.close();
  commits_ = 0;
  needs_reload_ = false;
  auto name = set_store_aside(options_.directory, now_ms);
  if (!name) return tl::unexpected<Error>(name.error());
  const std::string text = "The data file was damaged (" + why + ") and set aside as " + *name + ".";
  waiting_marks_.push_back(Mark{now_ms, MarkKind::store_damaged, text, 0});
  warn(text);
  auto opened = open_store(options_.directory, now_ms);
  if (!opened) return tl::unexpected<Error>(opened.error());
  database_ = std::move(opened->database);
  {
    const std::lock_guard lock(state_mutex_);
    state_.damaged_files = files_set_aside(options_.directory);
  }
  return begin_first_run(now_ms);
}

Result<std::int64_t> HistoryWriter::Impl::add_mark(const Mark& mark) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return fail(ErrorCode::unavailable, "the history was closed");
  return insert_mark(database_, ticks_.host_id(), mark);
}

Result<void> HistoryWriter::Impl::delete_mark(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return fail(ErrorCode::unavailable, "the history was closed");
  auto select = database_.prepare("SELECT kind FROM mark WHERE id=?1");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, id);
  const auto row = select->step();
  if (!row) return tl::unexpected<Error>(row.error());
  if (!*row) return fail(ErrorCode::not_found, "there is no mark with the id " + std::to_string(id));
  const std::string kind(select->text(0));
  select->reset();
  if (kind != to_string(MarkKind::note))
    return fail(ErrorCode::invalid_argument,
                "mark " + std::to_string(id) + " is of kind '" + kind +
                    "', written by the program itself; only notes can be deleted");
  auto remove = database_.prepare("DELETE FROM mark WHERE id=?1");
  if (!remove) return tl::unexpected<Error>(remove.error());
  remove->bind(1, id);
  return remove->run();
}

Result<void> HistoryWriter::Impl::close(std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return {};
  std::vector<const Snapshot*> snapshots;
  for (const Snapshot& snapshot : waiting_) snapshots.push_back(&snapshot);
  if (!snapshots.empty() || !waiting_marks_.empty()) {
    if (const auto last = commit(snapshots, now_ms); last) waiting_marks_.clear();
  }
  if (const auto set = set_synchronous(true); !set) return set;
  {
    auto transaction = Transaction::begin(database_, Transaction::Kind::write);
    if (!transaction) return tl::unexpected<Error>(transaction.error());
    if (const auto ended = end_run(database_, ticks_.host_id(), run_, now_ms); !ended) return ended;
    if (const auto committed = transaction->commit(); !committed) return committed;
  }
  // Readers may still hold the WAL: then it stays, and that is fine too.
  (void)database_.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  is_closed_ = true;
  ticks_ = TickStore();
  database_.close();
  return {};
}

HistoryWriter::HistoryWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HistoryWriter::~HistoryWriter() = default;

Result<std::unique_ptr<HistoryWriter>> HistoryWriter::open(const WriterOptions& options,
                                                           std::int64_t now_ms) {
  auto impl = std::make_unique<Impl>(options);
  if (const auto opened = impl->open(now_ms); !opened) return tl::unexpected<Error>(opened.error());
  return std::unique_ptr<HistoryWriter>(new HistoryWriter(std::move(impl)));
}

Result<WriteReport> HistoryWriter::write(std::span<const Snapshot> snapshots, std::span<const Mark> marks,
                                         std::int64_t now_ms) {
  std::vector<const Snapshot*> pointers;
  pointers.reserve(snapshots.size());
  for (const Snapshot& snapshot : snapshots) pointers.push_back(&snapshot);
  return impl_->write(std::move(pointers), marks, now_ms);
}

Result<WriteReport> HistoryWriter::write(std::span<const Collected> readings, std::span<const Mark> marks,
                                         std::int64_t now_ms) {
  std::vector<const Snapshot*> pointers;
  std::vector<Mark> all_marks(marks.begin(), marks.end());
  for (const Collected& reading : readings) {
    for (const Snapshot& snapshot : reading.snapshots) pointers.push_back(&snapshot);
    all_marks.insert(all_marks.end(), reading.marks.begin(), reading.marks.end());
  }
  return impl_->write(std::move(pointers), all_marks, now_ms);
}

Result<std::int64_t> HistoryWriter::add_mark(const Mark& mark) { return impl_->add_mark(mark); }
Result<void> HistoryWriter::delete_mark(std::int64_t id) { return impl_->delete_mark(id); }
Result<void> HistoryWriter::close(std::int64_t now_ms) { return impl_->close(now_ms); }
WriterState HistoryWriter::state() const { return impl_->state(); }

Result<void> HistoryWriter::set_aside(const std::string& why, std::int64_t now_ms) {
  return impl_->replace_damaged(why, now_ms);
}

}  // namespace countertop::history
