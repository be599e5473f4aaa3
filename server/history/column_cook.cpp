#include "server/history/column_cook.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "server/history/bytes.hpp"

namespace countertop::history {

namespace {

using Row = std::array<std::int64_t, kMaxFieldsPerObject>;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool only_grows(const ObjectDefinition& object, const std::vector<Term>& terms) {
  return std::ranges::all_of(
      terms, [&](const Term& term) { return object.fields[term.field].backward != Backward::gauge; });
}

}  // namespace

ColumnCook::ColumnCook(const ObjectDefinition& object, const CounterDefinition& counter)
    : object_(&object), counter_(&counter) {
  if (const auto type = describe(counter.type)) {
    formula_ = type->formula;
    is_plain_clock_ = type->time == TimeSource::performance && !type->inverse;
  }
  value_ = plan_terms(counter.value);
  base_ = plan_terms(counter.base);
  value_only_grows_ = only_grows(object, counter.value);
  base_only_grows_ = only_grows(object, counter.base);
  for (const auto* terms : {&counter.value, &counter.base})
    for (const Term& term : *terms) fields_.push_back(term.field);
  std::ranges::sort(fields_);
  fields_.erase(std::unique(fields_.begin(), fields_.end()), fields_.end());
}

std::vector<ColumnCook::FieldTerm> ColumnCook::plan_terms(const std::vector<Term>& terms) const {
  std::vector<FieldTerm> plan;
  for (const Term& term : terms) {
    const FieldDefinition& field = object_->fields[term.field];
    FieldTerm one;
    one.field = term.field;
    one.sign = term.sign < 0 ? -1 : 1;
    one.is_gauge = field.backward == Backward::gauge;
    one.max_per_second = field.max_per_second;
    one.max_growth =
        field.backward == Backward::wrap_32bit ? 0xFFFF'FFFF : std::numeric_limits<std::int64_t>::max();
    plan.push_back(one);
  }
  return plan;
}

bool ColumnCook::plain_growth(const std::vector<FieldTerm>& terms,
                              std::span<const std::int64_t* const> columns, std::size_t row, double seconds,
                              double& sum) {
  sum = 0;
  for (const FieldTerm& term : terms) {
    const std::int64_t older = columns[term.field][row - 1];
    const std::int64_t newer = columns[term.field][row];
    if (older == kNoValue || newer == kNoValue) return false;
    const std::int64_t growth = wrapping_subtract(newer, older);
    if (growth > term.max_growth) return false;
    if (growth < 0 && !term.is_gauge) return false;
    const auto value = static_cast<double>(growth);
    if (term.max_per_second > 0 && !(value <= term.max_per_second * seconds)) return false;
    sum += term.sign * value;
  }
  return true;
}

bool ColumnCook::fast(std::span<const std::int64_t* const> columns, const TimeBase* times, std::size_t row,
                      double& out) const {
  if (formula_ == Formula::value) {
    double sum = 0;
    for (const FieldTerm& term : value_) {
      const std::int64_t value = columns[term.field][row];
      if (value == kNoValue) return false;
      sum += term.sign * static_cast<double>(value);
    }
    out = sum * counter_->scale;
    return true;
  }
  const bool per_time =
      is_plain_clock_ && (formula_ == Formula::rate || formula_ == Formula::percent_of_time);
  if (!per_time && formula_ != Formula::percent_of_delta) return false;
  const TimeBase& older = times[row - 1];
  const TimeBase& newer = times[row];
  const std::int64_t ticks = wrapping_subtract(newer.perf_time, older.perf_time);
  if (ticks <= 0 || newer.perf_frequency <= 0) return false;
  const auto frequency = static_cast<double>(newer.perf_frequency);
  const double seconds = static_cast<double>(ticks) / frequency;
  double value = 0;
  if (!plain_growth(value_, columns, row, seconds, value)) return false;
  if (value_only_grows_) value = std::max(value, 0.0);
  if (formula_ == Formula::rate) {
    out = value * frequency / static_cast<double>(ticks) * counter_->scale;
  } else if (formula_ == Formula::percent_of_time) {
    out = 100 * (value / static_cast<double>(ticks)) * counter_->scale;
  } else {
    double base = 0;
    if (!plain_growth(base_, columns, row, seconds, base)) return false;
    if (base_only_grows_) base = std::max(base, 0.0);
    if (base <= 0) return false;
    out = 100 * value / base * counter_->scale;
  }
  return true;
}

double ColumnCook::slow(std::span<const std::int64_t* const> columns, const TimeBase* times,
                        std::size_t row) const {
  Row older{};
  Row newer{};
  for (const std::uint16_t field : fields_) {
    older[field] = columns[field][row - 1];
    newer[field] = columns[field][row];
  }
  const std::size_t width = object_->fields.size();
  const RawSample before{std::span(older).first(width), times[row - 1]};
  const Cooked cooked =
      cook(*object_, *counter_, &before, RawSample{std::span(newer).first(width), times[row]});
  return cooked.has_value() ? cooked.value : kNone;
}

double ColumnCook::first(std::span<const std::int64_t* const> columns, const TimeBase* times,
                         const RowBefore& before) const {
  Row newer{};
  for (const std::uint16_t field : fields_) newer[field] = columns[field][0];
  const RawSample sample{std::span(newer).first(object_->fields.size()), times[0]};
  Cooked cooked;
  switch (before.kind) {
    case RowBefore::Kind::born:
      cooked = cook_from_zero(*object_, *counter_, before.time, sample);
      break;
    case RowBefore::Kind::row: {
      const RawSample older{before.values, before.time};
      cooked = cook(*object_, *counter_, &older, sample);
      break;
    }
    case RowBefore::Kind::none:
      cooked = cook(*object_, *counter_, nullptr, sample);
      break;
  }
  return cooked.has_value() ? cooked.value : kNone;
}

void ColumnCook::run(std::span<const std::int64_t* const> columns, const TimeBase* times, std::size_t count,
                     const RowBefore& before, double* out) const {
  if (count == 0) return;
  out[0] = first(columns, times, before);
  for (std::size_t row = 1; row < count; ++row) {
    if (!fast(columns, times, row, out[row])) out[row] = slow(columns, times, row);
  }
}

}  // namespace countertop::history
