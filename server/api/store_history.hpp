// The recorded past out of the data file, through a few readers that requests share.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "server/api/services.hpp"

namespace countertop::api {

/// Any thread. At most `most_readers` requests read at a time; others wait up to `patience`, then they get
/// ErrorCode::busy. Readers that nobody needs are closed after a while, so that they hold no memory.
class StoreHistory final : public HistorySource {
 public:
  StoreHistory(std::filesystem::path directory, history::HistoryWriter& writer, std::size_t most_readers = 4,
               std::chrono::milliseconds patience = std::chrono::milliseconds(5000));
  ~StoreHistory() override;

  Result<query::Answer> query(const query::Request& request, const std::stop_token& stop) override;
  Result<std::uint64_t> export_rows(const query::Request& request, history::ExportSink& sink,
                                    const std::stop_token& stop) override;
  Result<query::ProcessTable> processes(std::int64_t at_ms) override;
  Result<std::vector<history::ObjectInfo>> objects() override;
  Result<history::ObjectInfo> object(std::string_view name) override;
  Result<std::vector<history::InstanceInfo>> instances(std::string_view object,
                                                       query::TimeRange range) override;
  Result<std::vector<query::StoredMark>> marks(query::TimeRange range) override;
  Result<std::int64_t> add_mark(const Mark& mark) override;
  Result<void> delete_mark(std::int64_t id) override;

  /// Closes readers that were not used for a minute. To be called now and then.
  void close_idle();

 private:
  using Reader = std::unique_ptr<history::HistoryReader>;
  struct Idle {
    Reader reader;
    std::chrono::steady_clock::time_point since;
  };
  class Lease;

  [[nodiscard]] Result<Reader> take();
  void give_back(Reader reader);

  const std::filesystem::path directory_;
  history::HistoryWriter& writer_;
  const std::size_t most_readers_;
  const std::chrono::milliseconds patience_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<Idle> idle_;  // guarded by mutex_; the newest last
  std::size_t in_use_ = 0;  // guarded by mutex_
};

}  // namespace countertop::api
