// Cooks the newest values of one object out of its newest two snapshots.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "collectors/core/cook.hpp"
#include "collectors/core/snapshot.hpp"
#include "server/query/model.hpp"

namespace countertop::query {

/// Borrows both snapshots. `older` may be null, and is taken for null when it was described by another
/// definition.
class LatestValues {
 public:
  LatestValues(const Snapshot* older, const Snapshot& newer);

  [[nodiscard]] const ObjectDefinition& object() const { return *newer_->object; }
  [[nodiscard]] Cooked value(std::size_t row, const CounterDefinition& counter);
  /// nullopt when there is no interval that ends at the newest snapshot.
  [[nodiscard]] std::optional<RawPoint> raw(std::size_t row, const CounterDefinition& counter);

  /// Sum over several rows; those without a value count as nothing unless none has one.
  [[nodiscard]] Cooked sum(std::span<const std::size_t> rows, const CounterDefinition& counter);
  /// nullopt also for formulas whose parts do not add up (averages, shares of a base, inverse timers).
  [[nodiscard]] std::optional<RawPoint> raw_of_sum(std::span<const std::size_t> rows,
                                                   const CounterDefinition& counter);

 private:
  /// What the row's interval began with; nullopt: there is no interval.
  [[nodiscard]] std::optional<RawSample> older_sample(std::size_t row);
  [[nodiscard]] std::optional<std::size_t> find_older_row(std::size_t row);

  const Snapshot* older_;
  const Snapshot* newer_;
  std::optional<std::size_t> row_;        // the row looked up last ...
  std::optional<std::size_t> older_row_;  // ... and what was found
  std::size_t hint_ = 0;                  // older row behind the one found last: collectors keep their order
  std::vector<std::int64_t> zeros_;       // the older values of an instance born inside the interval
};

}  // namespace countertop::query
