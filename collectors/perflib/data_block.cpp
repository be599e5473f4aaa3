#include "collectors/perflib/data_block.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>

namespace countertop::perflib {
namespace {

// Sizes and offsets of winperf.h, the same on 32 and 64 bits.
constexpr std::size_t kBlockHeaderBytes = 88;
constexpr std::size_t kObjectHeaderBytes = 64;
constexpr std::size_t kCounterDefinitionBytes = 40;
constexpr std::size_t kInstanceDefinitionBytes = 24;
constexpr std::size_t kCounterBlockHeaderBytes = 4;
constexpr std::int32_t kNoInstances = -1;
constexpr std::string_view kSignature("P\0E\0R\0F\0", 8);

/// Precondition: the bytes are there. Providers align as they like, so nothing is cast.
template <typename T>
T load(Bytes bytes, std::size_t offset) {
  static_assert(std::endian::native == std::endian::little);
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::uint32_t load_u32(Bytes bytes, std::size_t offset) { return load<std::uint32_t>(bytes, offset); }

bool lies_inside(Bytes bytes, std::size_t offset, std::size_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

/// SYSTEMTIME: year, month, day of week, day, hour, minute, second, millisecond, 16 bits each.
std::int64_t read_system_time(Bytes bytes, std::size_t offset) {
  const auto part = [&](std::size_t index) { return load<std::uint16_t>(bytes, offset + 2 * index); };
  const std::chrono::year_month_day date{std::chrono::year(part(0)), std::chrono::month(part(1)),
                                         std::chrono::day(part(3))};
  if (!date.ok()) return 0;
  const auto time = std::chrono::sys_days(date) + std::chrono::hours(part(4)) +
                    std::chrono::minutes(part(5)) + std::chrono::seconds(part(6)) +
                    std::chrono::milliseconds(part(7));
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

Bytes without_terminator(Bytes text, std::size_t width) {
  while (text.size() >= width &&
         std::ranges::all_of(text.last(width), [](std::byte one) { return one == std::byte{0}; })) {
    text = text.first(text.size() - width);
  }
  return text;
}

/// Reads one object; what it appended before a failure is the caller's to take back.
class ObjectParser {
 public:
  ObjectParser(Bytes bytes, DataBlock& block) : bytes_(bytes), block_(block) {}

  /// Null when all is well, else what breaks the format.
  const char* parse(ObjectView& object) {
    const std::size_t definition_bytes = load_u32(bytes_, 4);
    const std::size_t header_bytes = load_u32(bytes_, 8);
    object.name_index = load_u32(bytes_, 12);
    object.help_index = load_u32(bytes_, 20);
    const std::uint32_t counter_count = load_u32(bytes_, 32);
    const auto instance_count = load<std::int32_t>(bytes_, 40);
    object.code_page = load_u32(bytes_, 44);
    object.perf_time = load<std::int64_t>(bytes_, 48);
    object.perf_frequency = load<std::int64_t>(bytes_, 56);
    object.instanced = instance_count != kNoInstances;
    if (header_bytes < kObjectHeaderBytes || header_bytes > definition_bytes ||
        definition_bytes > bytes_.size()) {
      return "the lengths of its header and definition do not fit into the object";
    }
    if (instance_count < kNoInstances) return "its number of instances is below -1";
    object.first_counter = block_.counters.size();
    object.first_instance = block_.instances.size();
    if (const char* why = parse_counters(header_bytes, definition_bytes, counter_count)) return why;
    object.counter_count = block_.counters.size() - object.first_counter;
    if (const char* why = parse_instances(definition_bytes, instance_count, object.code_page)) return why;
    object.instance_count = block_.instances.size() - object.first_instance;
    return nullptr;
  }

 private:
  const char* parse_counters(std::size_t at, std::size_t end, std::uint32_t count) {
    for (std::uint32_t index = 0; index < count; ++index) {
      if (end - at < kCounterDefinitionBytes) return "a counter definition lies outside of the definitions";
      const std::size_t size = load_u32(bytes_, at);
      if (size < kCounterDefinitionBytes || size > end - at) return "a counter definition has a wrong length";
      block_.counters.push_back({load_u32(bytes_, at + 4), load_u32(bytes_, at + 12),
                                 load_u32(bytes_, at + 28), load_u32(bytes_, at + 32),
                                 load_u32(bytes_, at + 36)});
      at += size;
    }
    return nullptr;
  }

  const char* parse_instances(std::size_t at, std::int32_t count, std::uint32_t code_page) {
    if (count == kNoInstances) {
      InstanceView only;
      return take_counter_block(at, only);
    }
    for (std::int32_t index = 0; index < count; ++index) {
      InstanceView instance;
      if (const char* why = take_definition(at, code_page, instance)) return why;
      if (const char* why = take_counter_block(at, instance)) return why;
    }
    return nullptr;
  }

  const char* take_definition(std::size_t& at, std::uint32_t code_page, InstanceView& instance) const {
    if (!lies_inside(bytes_, at, kInstanceDefinitionBytes)) return "an instance lies outside of the object";
    const std::size_t size = load_u32(bytes_, at);
    if (size < kInstanceDefinitionBytes || !lies_inside(bytes_, at, size))
      return "an instance definition has a wrong length";
    const Bytes definition = bytes_.subspan(at, size);
    instance.parent_object = load_u32(definition, 4);
    instance.parent_instance = load_u32(definition, 8);
    instance.unique_id = load<std::int32_t>(definition, 12);
    const std::size_t name_offset = load_u32(definition, 16);
    const std::size_t name_bytes = load_u32(definition, 20);
    if (name_bytes > 0) {
      if (!lies_inside(definition, name_offset, name_bytes)) return "an instance's name lies outside of it";
      const std::size_t width = code_page == 0 ? 2 : 1;
      if (name_bytes % width != 0) return "an instance's name has half a character";
      instance.name = without_terminator(definition.subspan(name_offset, name_bytes), width);
    }
    at += size;
    return nullptr;
  }

  const char* take_counter_block(std::size_t& at, InstanceView& instance) {
    if (!lies_inside(bytes_, at, kCounterBlockHeaderBytes))
      return "a counter block lies outside of the object";
    const std::size_t size = load_u32(bytes_, at);
    if (size < kCounterBlockHeaderBytes || !lies_inside(bytes_, at, size))
      return "a counter block has a wrong length";
    instance.counters = bytes_.subspan(at, size);
    block_.instances.push_back(instance);
    at += size;
    return nullptr;
  }

  const Bytes bytes_;
  DataBlock& block_;
};

void parse_objects(Bytes bytes, std::size_t at, std::uint32_t count, DataBlock& block) {
  const auto stop = [&](std::uint32_t index, const std::string& why) {
    block.dropped.push_back({at, why + "; " + std::to_string(count - index) + " of " + std::to_string(count) +
                                     " objects are lost"});
  };
  for (std::uint32_t index = 0; index < count; ++index) {
    if (!lies_inside(bytes, at, kObjectHeaderBytes))
      return stop(index, "the block ends before the next object");
    const std::size_t size = load_u32(bytes, at);
    if (size < kObjectHeaderBytes || !lies_inside(bytes, at, size))
      return stop(index, "an object's length of " + std::to_string(size) + " bytes is wrong");
    ObjectView object;
    const std::size_t counters_before = block.counters.size();
    const std::size_t instances_before = block.instances.size();
    if (const char* why = ObjectParser(bytes.subspan(at, size), block).parse(object)) {
      block.counters.resize(counters_before);
      block.instances.resize(instances_before);
      block.dropped.push_back({at, "object " + std::to_string(object.name_index) + ": " + why});
    } else {
      block.objects.push_back(object);
    }
    at += size;
  }
}

}  // namespace

const ObjectView* DataBlock::find_object(std::uint32_t name_index) const {
  const auto found = std::ranges::find(objects, name_index, &ObjectView::name_index);
  return found == objects.end() ? nullptr : &*found;
}

const InstanceView* DataBlock::find_parent(const InstanceView& instance) const {
  if (instance.parent_object == 0) return nullptr;
  const ObjectView* const object = find_object(instance.parent_object);
  if (object == nullptr || !object->instanced || instance.parent_instance >= object->instance_count)
    return nullptr;
  return &instances[object->first_instance + instance.parent_instance];
}

Result<void> parse_data_block(Bytes bytes, DataBlock& block) {
  block.objects.clear();
  block.counters.clear();
  block.instances.clear();
  block.dropped.clear();
  block.system_name = {};
  if (bytes.size() < kBlockHeaderBytes ||
      std::memcmp(bytes.data(), kSignature.data(), kSignature.size()) != 0) {
    return fail(ErrorCode::malformed,
                "These " + std::to_string(bytes.size()) +
                    " bytes are no performance data: they do not begin with the header PERF_DATA_BLOCK.");
  }
  if (load_u32(bytes, 8) != 1) {
    return fail(ErrorCode::malformed, "The performance data says that it is big-endian, which is not read.");
  }
  const std::size_t total = load_u32(bytes, 20);
  const std::size_t header = load_u32(bytes, 24);
  const std::uint32_t count = load_u32(bytes, 28);
  if (header < kBlockHeaderBytes || header > bytes.size() || total < header) {
    return fail(ErrorCode::malformed, "The performance data's header length of " + std::to_string(header) +
                                          " bytes does not fit into its " + std::to_string(total) +
                                          " bytes.");
  }
  block.wall_ms = read_system_time(bytes, 36);
  block.perf_time = load<std::int64_t>(bytes, 56);
  block.perf_frequency = load<std::int64_t>(bytes, 64);
  block.perf_time_100ns = load<std::int64_t>(bytes, 72);
  const std::size_t name_bytes = load_u32(bytes, 80);
  const std::size_t name_offset = load_u32(bytes, 84);
  if (name_bytes % 2 == 0 && lies_inside(bytes, name_offset, name_bytes))
    block.system_name = without_terminator(bytes.subspan(name_offset, name_bytes), 2);
  if (total > bytes.size()) {
    block.dropped.push_back({bytes.size(), "the block is cut off: " + std::to_string(bytes.size()) + " of " +
                                               std::to_string(total) + " bytes are there"});
  }
  parse_objects(bytes.first(std::min(total, bytes.size())), header, count, block);
  return {};
}

std::optional<std::int64_t> read_value(const CounterView& counter, const InstanceView& instance) {
  if (!lies_inside(instance.counters, counter.offset, counter.size)) return std::nullopt;
  if (counter.size == 4) return static_cast<std::int64_t>(load_u32(instance.counters, counter.offset));
  if (counter.size < 8 || counter.size > 16)
    return std::nullopt;  // 12 and 16: a timer with its trailing count
  return load<std::int64_t>(instance.counters, counter.offset);
}

std::optional<std::int64_t> read_trailing_count(const CounterView& counter, const InstanceView& instance) {
  const std::size_t offset = std::size_t{counter.offset} + 8;
  if (!lies_inside(instance.counters, offset, 4)) return std::nullopt;
  return static_cast<std::int64_t>(load_u32(instance.counters, offset));
}

Bytes read_bytes(const CounterView& counter, const InstanceView& instance) {
  if (!lies_inside(instance.counters, counter.offset, counter.size)) return {};
  return instance.counters.subspan(counter.offset, counter.size);
}

}  // namespace countertop::perflib
