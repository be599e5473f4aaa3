#include "tests/support/perflib_encoder.hpp"

#include <cstring>

namespace countertop::test {
namespace {

constexpr std::size_t kBlockHeaderBytes = 88;

class Writer {
 public:
  std::vector<std::byte> bytes;

  template <typename T>
  void put(T value) {
    const std::size_t at = bytes.size();
    bytes.resize(at + sizeof(T));
    std::memcpy(bytes.data() + at, &value, sizeof(T));
  }
  void u16(std::uint16_t value) { put(value); }
  void u32(std::uint32_t value) { put(value); }
  void i64(std::int64_t value) { put(value); }
  void text(const std::u16string& letters) {
    for (const char16_t letter : letters) put(letter);
    put(char16_t{0});
  }
  void fill(std::size_t count) { bytes.resize(bytes.size() + count); }
  void align(std::size_t begin) {
    while ((bytes.size() - begin) % 8 != 0) fill(1);
  }
  void length_at(std::size_t begin) {
    put_u32(bytes, begin, static_cast<std::uint32_t>(bytes.size() - begin));
  }
};

/// Offsets of the values in the counter block: each aligned to its size, the first behind the length.
std::vector<std::uint32_t> layout(const EncodedObject& object, std::uint32_t& size) {
  std::vector<std::uint32_t> offsets;
  size = 4;
  for (const auto& counter : object.counters) {
    if (counter.size == 8) size = (size + 7) & ~7U;
    offsets.push_back(size);
    size += counter.size + counter.trailing_bytes;
  }
  size = (size + 7) & ~7U;
  return offsets;
}

void write_counter_block(Writer& out, const EncodedObject& object, const EncodedInstance& instance) {
  std::uint32_t size = 0;
  const auto offsets = layout(object, size);
  const std::size_t begin = out.bytes.size();
  out.fill(size + object.extra_bytes);
  put_u32(out.bytes, begin, size + object.extra_bytes);
  for (std::size_t index = 0; index < offsets.size() && index < instance.values.size(); ++index) {
    const auto& counter = object.counters[index];
    std::byte* const at = out.bytes.data() + begin + offsets[index];
    std::memcpy(at, &instance.values[index], counter.size < 8 ? counter.size : 8);
    if (counter.trailing_bytes >= 4) std::memcpy(at + counter.size, &instance.trailing_count, 4);
  }
}

void write_instance(Writer& out, const EncodedObject& object, const EncodedInstance& instance) {
  const std::size_t begin = out.bytes.size();
  const bool is_ansi = object.code_page != 0;
  out.u32(0);
  out.u32(instance.parent_object);
  out.u32(instance.parent_instance);
  out.u32(static_cast<std::uint32_t>(instance.unique_id));
  out.u32(24 + object.extra_bytes);
  out.u32(
      static_cast<std::uint32_t>(is_ansi ? instance.ansi_name.size() + 1 : 2 * (instance.name.size() + 1)));
  out.fill(object.extra_bytes);
  if (is_ansi) {
    for (const char letter : instance.ansi_name) out.put(letter);
    out.put('\0');
  } else {
    out.text(instance.name);
  }
  out.align(begin);
  out.length_at(begin);
  write_counter_block(out, object, instance);
}

void write_object(Writer& out, const EncodedObject& object) {
  const std::size_t begin = out.bytes.size();
  std::uint32_t block_bytes = 0;
  const auto offsets = layout(object, block_bytes);
  out.u32(0);
  out.u32(0);
  out.u32(64 + object.extra_bytes);
  out.u32(object.name_index);
  out.u32(0);
  out.u32(object.name_index + 1);
  out.u32(0);
  out.u32(100);
  out.u32(static_cast<std::uint32_t>(object.counters.size()));
  out.u32(0);
  out.u32(object.instanced ? static_cast<std::uint32_t>(object.instances.size()) : 0xFFFF'FFFF);
  out.u32(object.code_page);
  out.i64(object.perf_time);
  out.i64(object.perf_frequency);
  out.fill(object.extra_bytes);
  for (std::size_t index = 0; index < object.counters.size(); ++index) {
    const auto& counter = object.counters[index];
    out.u32(40 + object.extra_bytes);
    out.u32(counter.name_index);
    out.u32(0);
    out.u32(counter.name_index + 1);
    out.u32(0);
    out.u32(0);
    out.u32(100);
    out.u32(counter.type);
    out.u32(counter.size);
    out.u32(offsets[index]);
    out.fill(object.extra_bytes);
  }
  put_u32(out.bytes, begin + 4, static_cast<std::uint32_t>(out.bytes.size() - begin));
  if (object.instanced) {
    for (const auto& instance : object.instances) write_instance(out, object, instance);
  } else {
    write_counter_block(out, object, object.instances.front());
  }
  out.length_at(begin);
}

Writer begin_block(const EncodedBlock& block) {
  Writer out;
  out.text(u"PERF");
  out.bytes.resize(8);
  out.u32(1);  // little endian
  out.u32(1);
  out.u32(1);
  out.u32(0);
  out.u32(0);
  out.u32(block.object_count.value_or(static_cast<std::uint32_t>(block.objects.size())));
  out.u32(0xFFFF'FFFF);
  for (const int part : {2026, 12, 5, 4, 10, 20, 30, 400})
    out.u16(static_cast<std::uint16_t>(part));  // SYSTEMTIME
  out.fill(4);
  out.i64(block.perf_time);
  out.i64(block.perf_frequency);
  out.i64(block.perf_time_100ns);
  out.u32(static_cast<std::uint32_t>(2 * (block.system_name.size() + 1)));
  out.u32(kBlockHeaderBytes);
  out.text(block.system_name);
  out.align(0);
  put_u32(out.bytes, 24, static_cast<std::uint32_t>(out.bytes.size()));
  return out;
}

}  // namespace

void put_u32(std::vector<std::byte>& bytes, std::size_t offset, std::uint32_t value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(value));
}

std::vector<std::byte> encode_block(const EncodedBlock& block) {
  Writer out = begin_block(block);
  for (const auto& object : block.objects) write_object(out, object);
  put_u32(out.bytes, 20, static_cast<std::uint32_t>(out.bytes.size()));
  return out.bytes;
}

std::vector<std::size_t> object_offsets(const EncodedBlock& block) {
  std::vector<std::size_t> offsets;
  Writer out = begin_block(block);
  for (const auto& object : block.objects) {
    offsets.push_back(out.bytes.size());
    write_object(out, object);
  }
  return offsets;
}

std::vector<std::byte> encode_names(const std::vector<std::u16string>& strings) {
  Writer out;
  for (const auto& one : strings) out.text(one);
  out.put(char16_t{0});
  return out.bytes;
}

}  // namespace countertop::test
