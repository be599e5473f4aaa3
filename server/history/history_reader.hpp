// Answers questions about the past, from chunks, tiers and the newest unsealed
// ticks in one consistent view.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/query/model.hpp"

namespace countertop::history {

/// One object as the history knows it: its newest definition.
struct ObjectInfo {
  ObjectHandle definition;
  std::size_t instances = 0;  // with history in the store, brief ones not counted
  std::int64_t first_ms = 0;  // when this object was first stored
};

struct InstanceInfo {
  std::string name;
  std::int64_t first_ms = 0;
  std::int64_t last_ms = 0;  // exact to one window for those alive
};

/// Rows of an export, one call for each moment at which at least one of the
/// series has a value. `values` is as long as the series list given to
/// ExportSink::begin, NaN where there is no value.
class ExportSink {
 public:
  virtual ~ExportSink() = default;
  /// Called once, before any row. False ends the export (ErrorCode::cancelled).
  [[nodiscard]] virtual bool begin(std::span<const query::SeriesAnswer> series) = 0;
  [[nodiscard]] virtual bool row(std::int64_t time_ms, std::span<const double> values) = 0;
  /// A stretch without data inside the range, in time order between the rows.
  [[nodiscard]] virtual bool gap(const query::Gap& gap) = 0;
};

/// One thread at a time; opens its own read-only connection. Notices by itself
/// when the file was replaced.
class HistoryReader {
 public:
  [[nodiscard]] static Result<std::unique_ptr<HistoryReader>> open(const std::filesystem::path& directory);
  HistoryReader(const HistoryReader&) = delete;
  HistoryReader& operator=(const HistoryReader&) = delete;
  ~HistoryReader();

  /// An object or counter that never existed is not_found, an instance that has
  /// nothing in the range gives a series of NaN (exact names) or nothing
  /// (wildcards) and a warning. Damaged chunks become gaps and warnings.
  [[nodiscard]] Result<query::Answer> query(const query::Request& request, const std::stop_token& stop = {});

  /// Raw rows of any length in constant memory: a window at a time, each in its
  /// own short read transaction, so that a slow sink holds nothing back.
  /// `request.grid`, `tier` and `aggregates` are not used. Returns the number
  /// of rows.
  [[nodiscard]] Result<std::uint64_t> export_rows(const query::Request& request, ExportSink& sink,
                                                  const std::stop_token& stop = {});

  /// Who was there at the snapshot of the `process` object at or just before
  /// `at_ms` (at most 60 s before).
  [[nodiscard]] Result<query::ProcessTable> processes(std::int64_t at_ms);

  [[nodiscard]] Result<std::vector<ObjectInfo>> objects();
  [[nodiscard]] Result<ObjectInfo> object(std::string_view name);
  /// Instances with data in the range, by name.
  [[nodiscard]] Result<std::vector<InstanceInfo>> instances(std::string_view object, query::TimeRange range);
  /// Marks that begin in the range or whose gap reaches into it, oldest first.
  [[nodiscard]] Result<std::vector<query::StoredMark>> marks(query::TimeRange range);

 private:
  class Impl;
  explicit HistoryReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

enum class SqlOutput : std::uint8_t { columns, csv, json };

/// Runs read-only SQL against the store for `countertop sql`; samples(path,
/// from, to) is there. Anything that would write or attach is refused with
/// ErrorCode::permission.
[[nodiscard]] Result<void> run_sql(const std::filesystem::path& directory, const std::string& sql,
                                   std::ostream& output, SqlOutput format = SqlOutput::columns);

}  // namespace countertop::history
