// An object written as a table: one row per counter, fields named in the rows. Adding a counter is adding a
// row.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "collectors/core/object.hpp"

namespace countertop::proc {

/// TimeBase::perf_time counts tenths of a millisecond (read_time_base). These scales turn a timer's source
/// unit into it.
inline constexpr double kFromMilliseconds = 10;
inline constexpr double kFromMicroseconds = 0.01;

/// A field that has a fixed place in the row, or another rule than the counters that use it would give it.
struct FieldRow {
  std::string_view name;
  Backward backward = Backward::reset;
  std::int64_t step_back_tolerance = 0;
  double max_per_second = 0;
};

struct CounterRow {
  std::string_view name;
  std::string_view unit;
  CounterType type = CounterType::large_raw_count;
  std::string_view value;  // names of fields with " + " or " - " between them
  std::string_view base;   // likewise; empty where the type has none
  double scale = 1;
  std::string_view help;
};

enum class Instances : std::uint8_t { one, many };

/// Fields stand in the order of `fields`, then in the order in which `counters` first name them. A field that
/// `fields` does not list is a gauge when only counters of one sample use it, and otherwise one that only
/// grows.
[[nodiscard]] ObjectHandle make_object(std::string_view name, std::string_view help, Instances instances,
                                       std::span<const FieldRow> fields,
                                       std::span<const CounterRow> counters);

}  // namespace countertop::proc
