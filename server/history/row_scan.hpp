// Cooks the rows of one stretch (a sealed part or a segment of the unsealed tail) for all series of a plan at
// once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "collectors/core/result.hpp"
#include "collectors/core/snapshot.hpp"
#include "server/history/chunk_codec.hpp"
#include "server/history/series_plan.hpp"

namespace countertop::history {

/// Decoded raw rows of one instance. `columns` by field number; only wanted fields are filled.
struct InstanceRows {
  std::vector<PresenceRun> runs;
  std::vector<std::vector<std::int64_t>> columns;
};

/// Consecutive rows of one series. Borrowed for the call.
struct SeriesRows {
  std::size_t series = 0;
  std::span<const TimeBase> times;
  std::span<const double> weights_s;  // seconds of the interval that ends at the row; 0 where not known
  std::span<const double> values;     // NaN: a sample was taken, but there is no value
};

class RowSink {
 public:
  virtual ~RowSink() = default;
  /// Rows of one series come in time order inside a stretch.
  virtual void rows(const SeriesRows& rows) = 0;
  /// When the object was sampled, whether or not a wanted instance was there.
  virtual void sampled(const ObjectPlan& object, std::span<const TimeBase> times) = 0;
  /// Only when `wants_raw`: the rows behind values of a series that is no sum, one call for each row.
  virtual void raw(std::size_t series, const query::RawPoint& point) = 0;
  /// A stored stretch could not be read.
  virtual void damaged(query::TimeRange range, const Error& error) = 0;
};

class RowScan {
 public:
  RowScan(query::TimeRange range, bool wants_raw, std::size_t series, RowSink& sink);

  /// Gives the rows of an instance, null when it has none in this stretch. Valid until the next call.
  using Provider = std::function<const InstanceRows*(const InstancePlan&)>;
  /// prepare: gives nothing to the sink, its last row only begins the first interval of the stretch that
  /// follows.
  enum class Use : std::uint8_t { prepare, emit };
  /// Stretches of one segment must come in order. Rows outside the range only prepare.
  void scan(ObjectPlan& object, std::int64_t segment, std::span<const TimeBase> times, Use use,
            const Provider& provider);

 private:
  struct Sum {
    std::vector<double> values;
    std::vector<char> present;
  };
  struct Stretch {
    ObjectPlan* object;
    std::int64_t segment;
    std::span<const TimeBase> times;
    std::size_t from, to;  // rows inside the range
  };
  void scan_instance(const Stretch& stretch, InstancePlan& instance, const InstanceRows& rows);
  void cook_run(const Stretch& stretch, const InstancePlan& instance, const InstanceRows& rows,
                PresenceRun run, std::size_t offset, std::size_t skip, std::size_t count);
  [[nodiscard]] RowBefore before_run(const Stretch& stretch, const InstancePlan& instance,
                                     const InstanceRows& rows, PresenceRun run, std::size_t offset,
                                     std::size_t skip);
  void emit_raw(const Stretch& stretch, const InstancePlan& instance, const InstanceRows& rows,
                PresenceRun run, std::size_t offset, std::size_t skip, std::size_t count,
                const RowBefore& before);
  void add_to_sum(std::size_t series, const Stretch& stretch, std::size_t first_row,
                  std::span<const double> values);
  void emit_sums(const Stretch& stretch);
  void carry(const Stretch& stretch, InstancePlan& instance, const InstanceRows& rows);

  query::TimeRange range_;
  bool wants_raw_;
  RowSink* sink_;
  std::vector<double> weights_, values_;
  std::vector<Sum> sums_;  // by series; used for sums only
  std::array<std::int64_t, kMaxFieldsPerObject> before_values_{};
};

}  // namespace countertop::history
