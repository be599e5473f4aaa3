#include "server/api/store_history.hpp"

#include <utility>

namespace countertop::api {
namespace {

constexpr std::chrono::seconds kIdleTime{60};
constexpr std::size_t kMostIdle = 2;

}  // namespace

/// A reader for the length of a request.
class StoreHistory::Lease {
 public:
  Lease(StoreHistory& owner, Reader reader) : owner_(owner), reader_(std::move(reader)) {}
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() { owner_.give_back(std::move(reader_)); }
  history::HistoryReader* operator->() { return reader_.get(); }

 private:
  StoreHistory& owner_;
  Reader reader_;
};

StoreHistory::StoreHistory(std::filesystem::path directory, history::HistoryWriter& writer,
                           std::size_t most_readers, std::chrono::milliseconds patience)
    : directory_(std::move(directory)), writer_(writer), most_readers_(most_readers), patience_(patience) {}

StoreHistory::~StoreHistory() = default;

Result<StoreHistory::Reader> StoreHistory::take() {
  {
    std::unique_lock lock(mutex_);
    if (!returned_.wait_for(lock, patience_, [this] { return in_use_ < most_readers_; }))
      return fail(ErrorCode::busy, "Too many requests read the history at the moment.",
                  "Try again in a moment.");
    ++in_use_;
    if (!idle_.empty()) {
      Reader reader = std::move(idle_.back().reader);
      idle_.pop_back();
      return reader;
    }
  }
  auto opened = history::HistoryReader::open(directory_);
  if (!opened) give_back(nullptr);
  return opened;
}

void StoreHistory::give_back(Reader reader) {
  {
    const std::lock_guard lock(mutex_);
    --in_use_;
    if (reader && idle_.size() < kMostIdle)
      idle_.push_back({std::move(reader), std::chrono::steady_clock::now()});
  }
  returned_.notify_one();
}

void StoreHistory::close_idle() {
  std::vector<Idle> closing;  // outlives the lock: closing a file takes a while
  const std::lock_guard lock(mutex_);
  const auto oldest_allowed = std::chrono::steady_clock::now() - kIdleTime;
  while (!idle_.empty() && idle_.front().since < oldest_allowed) {
    closing.push_back(std::move(idle_.front()));
    idle_.erase(idle_.begin());
  }
}

Result<query::Answer> StoreHistory::query(const query::Request& request, const std::stop_token& stop) {
  auto reader = take();
  if (!reader) return tl::unexpected(reader.error());
  return Lease(*this, *std::move(reader))->query(request, stop);
}

Result<std::uint64_t> StoreHistory::export_rows(const query::Request& request, history::ExportSink& sink,
                                                const std::stop_token& stop) {
  // An export may last for hours: it has a reader of its own and takes none from the others.
  auto reader = history::HistoryReader::open(directory_);
  if (!reader) return tl::unexpected(reader.error());
  return (*reader)->export_rows(request, sink, stop);
}

Result<query::ProcessTable> StoreHistory::processes(std::int64_t at_ms) {
  auto reader = take();
  if (!reader) return tl::unexpected(reader.error());
  return Lease(*this, *std::move(reader))->processes(at_ms);
}

Result<std::vector<history::ObjectInfo>> StoreHistory::objects() {
  auto reader = take();
  if (!reader) return tl::unexpected(reader.error());
  return Lease(*this, *std::move(reader))->objects();
}

Result<history::ObjectInfo> StoreHistory::object(std::string_view name) {
  auto reader = take();
  if (!reader) return tl::unexpected(reader.error());
  return Lease(*this, *std::move(reader))->object(name);
}

Result<std::vector<history::InstanceInfo>> StoreHistory::instances(std::string_view object,
                                                                   query::TimeRange range) {
  auto reader = take();
  if (!reader) return tl::unexpected(reader.error());
  return Lease(*this, *std::move(reader))->instances(object, range);
}

Result<std::vector<query::StoredMark>> StoreHistory::marks(query::TimeRange range) {
  auto reader = take();
  if (!reader) return tl::unexpected(reader.error());
  return Lease(*this, *std::move(reader))->marks(range);
}

Result<std::int64_t> StoreHistory::add_mark(const Mark& mark) { return writer_.add_mark(mark); }

Result<void> StoreHistory::delete_mark(std::int64_t id) { return writer_.delete_mark(id); }

}  // namespace countertop::api
