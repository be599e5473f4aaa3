// Objects, their raw fields, and the counters that are computed from those fields.
//
// A collector describes each object once. A snapshot then carries, per instance, one 64-bit integer for each
// *field*; a *counter* is what people read: a counter type applied to sums of fields. `cpu(total)/user` is
// the share of (user - guest) in the sum of all fields; `memory/used` is total - available.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/counter_type.hpp"

namespace countertop {

/// What a difference below zero means for a field that should only grow.
enum class Backward : std::uint8_t {
  gauge,        // the field goes up and down: never a reason to doubt it
  reset,        // a restart of the counter: no value for this interval
  floor_small,  // a step back of at most `step_back_tolerance` counts as 0, a larger one is a reset
  floor,        // any step back counts as 0 (iowait of /proc/stat)
  wrap_32bit,   // a 4-byte counter: difference modulo 2^32
};

/// Stands in a row for a field that could not be read, or that this machine does not have (no limit is set):
/// a counter that uses it has no value, which is not zero. Never shown as a number.
inline constexpr std::int64_t kNoValue = std::numeric_limits<std::int64_t>::min();

struct FieldDefinition {
  std::string name;  // the source's own name: "iowait", "sectors read"
  Backward backward = Backward::gauge;
  std::int64_t step_back_tolerance = 0;  // only for floor_small
  double max_per_second = 0;             // a faster growth is garbage and gives no value; 0 = no bound
};

/// One summand: sign * value of the field.
struct Term {
  std::uint16_t field = 0;
  std::int8_t sign = 1;

  friend bool operator==(const Term&, const Term&) = default;
};

struct CounterDefinition {
  std::string name;  // unique inside its object; may hold slashes: "read bytes/s"
  std::string help;  // what it is, unit, exact source, pitfall
  std::string unit;  // "%", "% of one CPU", "bytes", "bytes/s", "s", "1/s", "" for plain numbers
  CounterType type = CounterType::large_raw_count;
  std::vector<Term> value;  // N
  std::vector<Term> base;   // B; empty where the type has none
  double scale = 1.0;       // multiplies the cooked value: 512 for sectors, 0.01 for hundredths
};

/// Instances that do not all deserve their own history (processes): one is kept when it was seen at least
/// `min_ticks` times in a window or when its `work` grew by at least `min_work`; the others become one
/// summary row each.
struct NotableRule {
  std::uint32_t min_ticks = 0;
  std::vector<Term> work;
  std::int64_t min_work = 0;
};

/// Limits that every definition keeps; readers of stored definitions check them.
inline constexpr std::size_t kMaxFieldsPerObject = 64;
inline constexpr std::size_t kMaxCountersPerObject = 128;

struct ObjectDefinition {
  std::string name;  // "cpu"; no '(' , no '/' , no '\\'
  std::string help;
  bool instanced = false;  // false: exactly one instance, named ""
  bool grouped = false;    // instance names are GROUP:REST, and `object(GROUP)/x` is the sum over the group
  std::vector<FieldDefinition> fields;
  std::vector<CounterDefinition> counters;
  std::optional<NotableRule> notable;

  [[nodiscard]] const CounterDefinition* find_counter(std::string_view counter_name) const;
};

/// Definitions are immutable and read by collectors, writer, readers and HTTP threads at once, each of which
/// may be the last to let go: the one place where ownership is shared.
using ObjectHandle = std::shared_ptr<const ObjectDefinition>;

/// Checks names, term indices, bases and limits. An empty string means that the definition is sound.
[[nodiscard]] std::string why_invalid(const ObjectDefinition& object);

}  // namespace countertop
