// `cook` for whole columns: the same values as calling cook for each row, without its cost for each row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collectors/core/cook.hpp"
#include "collectors/core/object.hpp"
#include "collectors/core/snapshot.hpp"

namespace countertop::history {

/// What came before the first row of a run.
struct RowBefore {
  enum class Kind : std::uint8_t { none, row, born };  // born: every field began at zero at `time`
  Kind kind = Kind::none;
  std::span<const std::int64_t>
      values;  // kind row: one per field of the object (those the counter needs are filled)
  TimeBase time;
};

class ColumnCook {
 public:
  /// Borrows both; they must outlive it.
  ColumnCook(const ObjectDefinition& object, const CounterDefinition& counter);

  /// The fields the counter is computed from, ascending.
  [[nodiscard]] std::span<const std::uint16_t> fields() const { return fields_; }
  [[nodiscard]] const CounterDefinition& counter() const { return *counter_; }
  [[nodiscard]] const ObjectDefinition& object() const { return *object_; }

  /// `columns`: by field number, those of fields() filled with `count` values, one per element of `times`.
  /// Writes `count` values to `out`, NaN where there is none.
  void run(std::span<const std::int64_t* const> columns, const TimeBase* times, std::size_t count,
           const RowBefore& before, double* out) const;

 private:
  struct FieldTerm {
    std::uint16_t field = 0;
    double sign = 1;
    bool is_gauge = false;
    double max_per_second = 0;
    std::int64_t max_growth = 0;
  };
  [[nodiscard]] std::vector<FieldTerm> plan_terms(const std::vector<Term>& terms) const;
  /// False: this row needs the full rules.
  [[nodiscard]] static bool plain_growth(const std::vector<FieldTerm>& terms,
                                         std::span<const std::int64_t* const> columns, std::size_t row,
                                         double seconds, double& sum);
  [[nodiscard]] bool fast(std::span<const std::int64_t* const> columns, const TimeBase* times,
                          std::size_t row, double& out) const;
  [[nodiscard]] double slow(std::span<const std::int64_t* const> columns, const TimeBase* times,
                            std::size_t row) const;
  [[nodiscard]] double first(std::span<const std::int64_t* const> columns, const TimeBase* times,
                             const RowBefore& before) const;

  const ObjectDefinition* object_;
  const CounterDefinition* counter_;
  Formula formula_ = Formula::none;
  bool is_plain_clock_ = false;
  bool value_only_grows_ = false, base_only_grows_ = false;
  std::vector<FieldTerm> value_, base_;
  std::vector<std::uint16_t> fields_;
};

}  // namespace countertop::history
