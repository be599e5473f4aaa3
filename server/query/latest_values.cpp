#include "server/query/latest_values.hpp"

#include <cmath>

namespace countertop::query {
namespace {

bool parts_add_up(const CounterDefinition& counter) {
  const CounterTypeDescription* const type = find_description(counter.type);
  if (type == nullptr || type->inverse) return false;
  switch (type->formula) {
    case Formula::value:
    case Formula::difference:
    case Formula::rate:
    case Formula::percent_of_time:
    case Formula::per_time:
      return true;
    default:
      return false;
  }
}

}  // namespace

LatestValues::LatestValues(const Snapshot* older, const Snapshot& newer)
    : older_(older != nullptr && older->object == newer.object ? older : nullptr),
      newer_(&newer),
      zeros_(newer.object->fields.size(), 0) {}

std::optional<std::size_t> LatestValues::find_older_row(std::size_t row) {
  if (row_ == row) return older_row_;
  row_ = row;
  older_row_.reset();
  const std::string& name = newer_->instances[row].name;
  const std::size_t count = older_->instances.size();
  for (std::size_t step = 0; step < count; ++step) {
    const std::size_t candidate = (hint_ + step) % count;
    if (older_->instances[candidate].name != name) continue;
    hint_ = candidate + 1;
    older_row_ = candidate;
    break;
  }
  return older_row_;
}

std::optional<RawSample> LatestValues::older_sample(std::size_t row) {
  if (older_ == nullptr) return std::nullopt;
  if (const auto older_row = find_older_row(row)) return RawSample{older_->row(*older_row), older_->time};
  if (newer_->instances[row].counts_from_zero) return RawSample{zeros_, older_->time};
  return std::nullopt;
}

Cooked LatestValues::value(std::size_t row, const CounterDefinition& counter) {
  const auto older = older_sample(row);
  return cook(object(), counter, older ? &*older : nullptr, {newer_->row(row), newer_->time});
}

std::optional<RawPoint> LatestValues::raw(std::size_t row, const CounterDefinition& counter) {
  const RawSample newer{newer_->row(row), newer_->time};
  const CounterTypeDescription* const type = find_description(counter.type);
  if (type == nullptr || type->formula == Formula::none) return std::nullopt;
  auto older = older_sample(row);
  if (!older) {
    if (needs_two_samples(type->formula)) return std::nullopt;
    older = newer;
  }
  return RawPoint{older->time, newer.time, cook_parts(object(), counter, *older, newer)};
}

Cooked LatestValues::sum(std::span<const std::size_t> rows, const CounterDefinition& counter) {
  Cooked total{std::nan(""), Absence::not_readable};
  for (const std::size_t row : rows) {
    const Cooked one = value(row, counter);
    if (!one.has_value()) {
      if (!total.has_value()) total.absence = one.absence;
      continue;
    }
    total.value = total.has_value() ? total.value + one.value : one.value;
    total.absence = Absence::none;
  }
  return total;
}

std::optional<RawPoint> LatestValues::raw_of_sum(std::span<const std::size_t> rows,
                                                 const CounterDefinition& counter) {
  if (!parts_add_up(counter)) return std::nullopt;
  std::optional<RawPoint> total;
  for (const std::size_t row : rows) {
    if (!value(row, counter).has_value()) continue;
    const auto one = raw(row, counter);
    if (!one) continue;
    if (!total) {
      total = one;
      continue;
    }
    total->parts.older_value += one->parts.older_value;
    total->parts.newer_value += one->parts.newer_value;
  }
  return total;
}

}  // namespace countertop::query
