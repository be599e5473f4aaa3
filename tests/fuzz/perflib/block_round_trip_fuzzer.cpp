// The input chooses a block, the tests' own encoder writes it, the parser must give it back.
#include <cstdlib>
#include <cstring>

#include "collectors/core/byte_reader.hpp"
#include "collectors/perflib/data_block.hpp"
#include "collectors/perflib/wide_text.hpp"
#include "tests/support/perflib_encoder.hpp"

namespace {

using namespace countertop;
using namespace countertop::perflib;

void require(bool holds) {
  if (!holds) std::abort();
}

test::EncodedBlock choose(ByteReader& input) {
  test::EncodedBlock block;
  block.perf_time = input.i64();
  const std::size_t objects = input.u8() % 5;
  for (std::size_t index = 0; index < objects; ++index) {
    test::EncodedObject object;
    object.name_index = 2 + input.u8();
    object.instanced = input.u8() % 3 != 0;
    object.extra_bytes = 8U * (input.u8() % 4U);
    const std::size_t counters = input.u8() % 8;
    for (std::size_t counter = 0; counter < counters; ++counter)
      object.counters.push_back({input.u16(), input.u32(), input.u8() % 2 == 0 ? 4U : 8U});
    const std::size_t instances = object.instanced ? input.u8() % 6 : 1;
    for (std::size_t row = 0; row < instances; ++row) {
      test::EncodedInstance instance;
      const std::size_t letters = object.instanced ? input.u8() % 12 : 0;
      for (std::size_t letter = 0; letter < letters; ++letter)
        instance.name += static_cast<char16_t>(1 + input.u16() % 0xD000);
      for (std::size_t counter = 0; counter < counters; ++counter) instance.values.push_back(input.i64());
      instance.unique_id = input.i32();
      object.instances.push_back(std::move(instance));
    }
    block.objects.push_back(std::move(object));
  }
  return block;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader input(std::span(reinterpret_cast<const std::byte*>(data), size));
  const test::EncodedBlock source = choose(input);
  const auto bytes = test::encode_block(source);
  DataBlock block;
  require(parse_data_block(bytes, block).has_value());
  require(block.dropped.empty());
  require(block.perf_time == source.perf_time);
  require(block.objects.size() == source.objects.size());
  for (std::size_t index = 0; index < source.objects.size(); ++index) {
    const auto& expected = source.objects[index];
    const auto& object = block.objects[index];
    require(object.name_index == expected.name_index && object.instanced == expected.instanced);
    const auto counters = block.counters_of(object);
    const auto rows = block.instances_of(object);
    require(counters.size() == expected.counters.size() && rows.size() == expected.instances.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const auto& instance = expected.instances[row];
      if (expected.instanced) {
        require(rows[row].unique_id == instance.unique_id);
        require(rows[row].name.size() == 2 * instance.name.size());
        require(std::memcmp(rows[row].name.data(), instance.name.data(), rows[row].name.size()) == 0);
      }
      for (std::size_t counter = 0; counter < counters.size(); ++counter) {
        const auto wanted =
            expected.counters[counter].size == 8
                ? instance.values[counter]
                : static_cast<std::int64_t>(static_cast<std::uint32_t>(instance.values[counter]));
        require(read_value(counters[counter], rows[row]) == wanted);
      }
    }
  }
  return 0;
}
