// Small objects to cook.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "collectors/core/cook.hpp"

namespace countertop::test {

/// One counter of a type over field 0, with field 1 as base where the type has one.
inline ObjectDefinition object_of(CounterType type, Backward backward = Backward::reset) {
  ObjectDefinition object;
  object.name = "thing";
  object.fields = {{"value", backward, 0, 0}, {"base", backward, 0, 0}};
  CounterDefinition counter;
  counter.name = "counter";
  counter.type = type;
  counter.value = {{0, 1}};
  const CounterTypeDescription* const description = find_description(type);
  if (description != nullptr && description->has_base) counter.base = {{1, 1}};
  object.counters = {counter};
  return object;
}

/// Two rows of one object with their clocks; owns what RawSample borrows.
struct Interval {
  std::vector<std::int64_t> older_values, newer_values;
  TimeBase older_time, newer_time;

  [[nodiscard]] RawSample older() const { return {older_values, older_time}; }
  [[nodiscard]] RawSample newer() const { return {newer_values, newer_time}; }

  [[nodiscard]] Cooked cook(const ObjectDefinition& object, std::size_t counter = 0) const {
    const RawSample first = older();
    return countertop::cook(object, object.counters[counter], &first, newer());
  }
};

/// `seconds` of the performance clock at 10'000 units a second.
inline Interval interval_of(std::vector<std::int64_t> older, std::vector<std::int64_t> newer,
                            double seconds = 1) {
  Interval interval{std::move(older), std::move(newer), {}, {}};
  interval.older_time = {1'000, 50'000, 10'000, 0, 0, 0};
  interval.newer_time = interval.older_time;
  interval.newer_time.wall_ms += static_cast<std::int64_t>(seconds * 1000);
  interval.newer_time.perf_time += static_cast<std::int64_t>(seconds * 10'000);
  return interval;
}

}  // namespace countertop::test
