// From a provider's definition of an object to ours: one raw field for each counter, and the counters that
// people read, each with its own type of winperf.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/core/object.hpp"
#include "collectors/perflib/data_block.hpp"
#include "collectors/perflib/name_table.hpp"

namespace countertop::perflib {

/// Where a field's value comes from: the counter at `counter`, or the instance count behind its value.
struct FieldSource {
  std::size_t counter = 0;
  bool trailing_count = false;
};

/// One of our objects. An object of Windows with more counters than one of ours can hold becomes several:
/// "Name", "Name 2" ...
struct MappedObject {
  ObjectHandle definition;
  std::vector<FieldSource> fields;  // one for each of definition->fields
};

struct ObjectMapping {
  std::vector<CounterView> made_of;  // a reading with other definitions needs a new mapping
  std::vector<MappedObject> objects;
  std::vector<std::string> left_out;  // counters without a value that could be shown, each with the reason
};

[[nodiscard]] ObjectMapping map_object(const ObjectView& object, std::span<const CounterView> counters,
                                       const Names& names);

/// The unit of a counter's cooked value, as far as type and English name tell.
[[nodiscard]] std::string unit_of(CounterType type, std::string_view english_name);

/// An object's name without what counter paths need: ( ) / \ * become [ ] - - and x.
[[nodiscard]] std::string object_name(std::string_view name);

}  // namespace countertop::perflib
