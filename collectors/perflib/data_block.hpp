// The block that RegQueryValueEx gives for HKEY_PERFORMANCE_DATA, as views into its bytes.
//
// PERF_DATA_BLOCK, then objects; an object is PERF_OBJECT_TYPE, its counter definitions, and either one
// counter block or instances of definition + counter block each. Every step goes by the length fields, as
// providers may put more into a structure than winperf.h knows. Source: Microsoft, "Performance data format",
// winperf.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/core/result.hpp"

namespace countertop::perflib {

using Bytes = std::span<const std::byte>;

/// One PERF_COUNTER_DEFINITION.
struct CounterView {
  std::uint32_t name_index = 0;
  std::uint32_t help_index = 0;
  std::uint32_t type = 0;    // of winperf.h; what provider wrote, known to us or not
  std::uint32_t size = 0;    // bytes; decides how the value is read, whatever the type says
  std::uint32_t offset = 0;  // from the start of the counter block

  friend bool operator==(const CounterView&, const CounterView&) = default;
};

/// One PERF_INSTANCE_DEFINITION with its counter block. The only one of an object without instances has no
/// name.
struct InstanceView {
  Bytes name;                         // without the terminator, in the object's encoding
  std::uint32_t parent_object = 0;    // name index of the parent's object, 0 = no parent
  std::uint32_t parent_instance = 0;  // position among that object's instances
  std::int32_t unique_id = -1;        // -1 = PERF_NO_UNIQUE_ID
  Bytes counters;                     // PERF_COUNTER_BLOCK, its length field included
};

/// One PERF_OBJECT_TYPE; counters and instances are ranges of DataBlock's vectors.
struct ObjectView {
  std::uint32_t name_index = 0;
  std::uint32_t help_index = 0;
  bool instanced = false;       // NumInstances other than PERF_NO_INSTANCES (-1)
  std::uint32_t code_page = 0;  // of instance names; 0 = UTF-16
  std::int64_t perf_time = 0;   // the object's own clock
  std::int64_t perf_frequency = 0;
  std::size_t first_counter = 0, counter_count = 0;
  std::size_t first_instance = 0, instance_count = 0;
};

/// Part of a block that breaks the format and was left out.
struct Dropped {
  std::size_t offset = 0;  // from the start of the block
  std::string reason;
};

/// Views into the parsed bytes: valid while those live. Reuse one over many readings and it stops allocating.
struct DataBlock {
  Bytes system_name;         // UTF-16
  std::int64_t wall_ms = 0;  // Unix, from SystemTime; 0 where that is no date
  std::int64_t perf_time = 0;
  std::int64_t perf_frequency = 0;
  std::int64_t perf_time_100ns = 0;
  std::vector<ObjectView> objects;
  std::vector<CounterView> counters;
  std::vector<InstanceView> instances;
  std::vector<Dropped> dropped;

  [[nodiscard]] std::span<const CounterView> counters_of(const ObjectView& object) const {
    return std::span(counters).subspan(object.first_counter, object.counter_count);
  }
  [[nodiscard]] std::span<const InstanceView> instances_of(const ObjectView& object) const {
    return std::span(instances).subspan(object.first_instance, object.instance_count);
  }
  [[nodiscard]] const ObjectView* find_object(std::uint32_t name_index) const;
  /// The instance's parent, null when there is none in this block.
  [[nodiscard]] const InstanceView* find_parent(const InstanceView& instance) const;
};

/// Fills `block`. A malformed object is in `dropped`, the others stay; an Error means that the bytes are no
/// block at all (ErrorCode::malformed).
[[nodiscard]] Result<void> parse_data_block(Bytes bytes, DataBlock& block);

/// The counter's 4 or 8 bytes in the instance's counter block; nullopt where it has another size or does not
/// lie inside.
[[nodiscard]] std::optional<std::int64_t> read_value(const CounterView& counter,
                                                     const InstanceView& instance);
/// The instance count that PERF_COUNTER_MULTI_TIMER and its kin carry right behind their value.
[[nodiscard]] std::optional<std::int64_t> read_trailing_count(const CounterView& counter,
                                                              const InstanceView& instance);
/// The bytes of PERF_COUNTER_TEXT, empty where they do not lie inside.
[[nodiscard]] Bytes read_bytes(const CounterView& counter, const InstanceView& instance);

}  // namespace countertop::perflib
