// What is asked of the history and what comes back: the common language of history, api and page.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/core/cook.hpp"
#include "collectors/core/object.hpp"
#include "collectors/core/snapshot.hpp"

namespace countertop::query {

/// Half-open range of wall time in Unix milliseconds.
struct TimeRange {
  std::int64_t from_ms = 0;
  std::int64_t to_ms = 0;

  friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

/// A counter path, taken apart. "" for host is this machine; "*" is a wildcard for a whole instance or
/// counter and may also stand inside a name (`sd*`). Grammar and escaping: server/query/counter_path.hpp.
struct CounterPath {
  std::string host;
  std::string object;
  std::optional<std::string> instance;  // nullopt: no parentheses were written
  std::string counter;

  friend bool operator==(const CounterPath&, const CounterPath&) = default;
};

enum class Aggregate : std::uint8_t { average, minimum, maximum, last, sum, count, p50, p95, p99 };
inline constexpr std::size_t kAggregateCount = 9;

enum class Tier : std::uint8_t { raw, minute, hour };

/// Bucket boundaries: start + i * step, or calendar days of a zone when `day_starts_ms` is filled.
struct BucketGrid {
  std::int64_t start_ms = 0;
  std::int64_t step_ms = 0;  // 0 = raw rows, no buckets
  std::size_t count = 0;
  std::vector<std::int64_t> day_starts_ms;  // count + 1 boundaries, when steps are calendar days
};

struct Request {
  std::vector<CounterPath> series;
  TimeRange range;
  BucketGrid grid;        // already planned (server/query/plan.hpp)
  Tier tier = Tier::raw;  // the coarsest tier that may be used
  std::vector<Aggregate> aggregates{Aggregate::average};
  bool with_raw = false;  // fill SeriesAnswer::raw (raw rows only)
  std::size_t max_series = 1000;
  std::size_t max_points = 2'000'000;  // rows * series * aggregates; beyond it: ErrorCode::too_large
};

/// Where one value came from, for `raw=1`.
struct RawPoint {
  TimeBase older_time, newer_time;
  CookedParts parts;
};

struct SeriesAnswer {
  std::string path;  // canonical, escaped: what the server prints it also reads
  std::string host, object, instance, counter, unit;
  CounterType type = CounterType::large_raw_count;
  /// One column per requested aggregate, each as long as Answer::time_ms; NaN where there is no value.
  std::vector<std::vector<double>> columns;
  std::vector<RawPoint> raw;  // one per row when asked for, else empty
};

struct Gap {
  TimeRange range;
  std::string reason;  // one sentence: "the computer was asleep", "Countertop was not running"

  friend bool operator==(const Gap&, const Gap&) = default;
};

struct Answer {
  TimeRange range;
  std::int64_t step_ms = 0;  // 0: raw rows
  Tier tier = Tier::raw;     // the coarsest tier that was used
  /// Bucket starts, or the rows' own times (union over the series) when step_ms is 0. Ascending.
  std::vector<std::int64_t> time_ms;
  std::vector<SeriesAnswer> series;
  std::vector<Gap> gaps;
  std::vector<std::string> warnings;
};

/// One process at one second, from history or from the newest snapshot.
struct ProcessRow {
  std::string name;
  std::int64_t pid = 0;
  std::int64_t start_s = 0;  // Unix seconds
  /// Every counter of the `process` object by its name, in the object's order; NaN where there is no value.
  std::vector<double> values;
  bool brief =
      false;  // from a summary row: it lived too short for its own history, values are averages of its life
};

struct ProcessTable {
  std::int64_t time_ms = 0;  // of the snapshot that was used
  std::vector<std::string> counters, units;
  std::vector<ProcessRow> rows;
};

struct StoredMark {
  std::int64_t id = 0;
  Mark mark;
};

}  // namespace countertop::query
