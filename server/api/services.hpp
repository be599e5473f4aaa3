// What the API needs from the rest of the program. The program gives the real things, tests give plays of
// their own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/clock.hpp"
#include "collectors/core/collector.hpp"
#include "collectors/core/result.hpp"
#include "server/history/history_reader.hpp"
#include "server/history/history_writer.hpp"
#include "server/history/store_status.hpp"
#include "server/query/live_tail.hpp"
#include "server/query/model.hpp"

namespace countertop::api {

/// The recorded past. Every function may be called from several threads at once; ErrorCode::busy when too
/// many are at it.
class HistorySource {
 public:
  HistorySource() = default;
  HistorySource(const HistorySource&) = delete;
  HistorySource& operator=(const HistorySource&) = delete;
  virtual ~HistorySource() = default;

  [[nodiscard]] virtual Result<query::Answer> query(const query::Request& request,
                                                    const std::stop_token& stop) = 0;
  [[nodiscard]] virtual Result<std::uint64_t> export_rows(const query::Request& request,
                                                          history::ExportSink& sink,
                                                          const std::stop_token& stop) = 0;
  [[nodiscard]] virtual Result<query::ProcessTable> processes(std::int64_t at_ms) = 0;
  [[nodiscard]] virtual Result<std::vector<history::ObjectInfo>> objects() = 0;
  [[nodiscard]] virtual Result<history::ObjectInfo> object(std::string_view name) = 0;
  [[nodiscard]] virtual Result<std::vector<history::InstanceInfo>> instances(std::string_view object,
                                                                             query::TimeRange range) = 0;
  [[nodiscard]] virtual Result<std::vector<query::StoredMark>> marks(query::TimeRange range) = 0;
  /// Gives the mark's id.
  [[nodiscard]] virtual Result<std::int64_t> add_mark(const Mark& mark) = 0;
  [[nodiscard]] virtual Result<void> delete_mark(std::int64_t id) = 0;
};

/// The newest marks in memory, so that streams need not ask the disk. Any thread.
class MarkLog {
 public:
  struct Entry {
    std::uint64_t sequence = 0;
    query::StoredMark mark;  // id 0: not known
  };
  void add(query::StoredMark mark);
  /// Marks added after `sequence`, at most the newest kKept.
  [[nodiscard]] std::vector<Entry> newer_than(std::uint64_t sequence) const;
  [[nodiscard]] std::uint64_t sequence() const;

 private:
  static constexpr std::size_t kKept = 256;
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  // guarded by mutex_
  std::uint64_t sequence_ = 0;  // guarded by mutex_
};

/// A right that the program does not have, and what that costs.
struct MissingRight {
  std::string what;
  std::string why;
  std::string command;
};

/// One number about the program itself.
struct SelfValue {
  std::string name;  // "cpu_percent"
  double value = 0;  // NaN: not known
};

struct ProgramStatus {
  std::string version;
  std::string host;
  std::string zone;  // of this machine: "Europe/Berlin"
  std::string data_directory;
  std::string view;  // "host", or what a container's limits make of it
  std::int64_t started_ms = 0;
  std::int64_t interval_ms = 1000;
  std::vector<CollectorStatus> collectors;
  history::StoreStatus store;
  history::WriterState writer;
  std::uint64_t dropped_samples = 0;
  std::vector<SelfValue> self;
  std::vector<MissingRight> missing_rights;
  std::vector<std::string> warnings;
  std::string not_ready;  // why /readyz says no; empty: ready
};

struct Limits {
  std::size_t most_streams = 64;
  std::size_t most_exports = 4;
};

/// Everything outlives the API.
struct Services {
  HistorySource& history;
  const query::LiveTail& live;
  MarkLog& marks;
  const Clock& clock;
  std::function<ProgramStatus()> status;  // any thread, no exception
  std::int64_t started_ms = 0;            // of the program: tells answers of two runs apart
  std::int64_t interval_ms = 1000;        // between samples
  Limits limits = {};
};

}  // namespace countertop::api
