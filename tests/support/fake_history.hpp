// A past that is computed instead of stored: one sample a second of every object that it was given.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "server/api/services.hpp"

namespace countertop::test {

class FakeHistory final : public api::HistorySource {
 public:
  /// Value of a counter of an instance at a time; NaN: none. The default is the second of the minute.
  using Value = std::function<double(std::string_view path, std::int64_t time_ms)>;

  void add(ObjectHandle object, std::vector<std::string> instances);

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

  // What tests set; not while requests run.
  Value value;
  std::int64_t first_ms = 0;                            // samples from here
  std::atomic<std::int64_t> end_ms{4'000'000'000'000};  // to here; the newest stored second
  std::vector<std::int64_t> raw_times;                  // rows of raw queries instead of one each second
  std::vector<query::Gap> gaps;
  std::vector<std::string> warnings;
  query::ProcessTable process_table;
  std::optional<Error> failure;                     // of every call
  std::optional<std::uint64_t> export_fails_after;  // rows
  bool waits_for_stop = false;                      // a query lasts until its stop token says so

 private:
  struct Object {
    ObjectHandle definition;
    std::vector<std::string> instances;
  };
  [[nodiscard]] Result<std::vector<query::SeriesAnswer>> resolve(const query::Request& request) const;
  [[nodiscard]] double value_at(const std::string& path, std::int64_t time_ms) const;

  std::map<std::string, Object, std::less<>> objects_;
  std::mutex mutex_;
  std::vector<query::StoredMark> marks_;  // guarded by mutex_
  std::int64_t next_mark_ = 1;            // guarded by mutex_
};

}  // namespace countertop::test
