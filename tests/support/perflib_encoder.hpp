// Writes blocks of performance data as winperf.h describes them: the tests' own counterpart of the parser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace countertop::test {

struct EncodedCounter {
  std::uint32_t name_index = 0;
  std::uint32_t type = 0;
  std::uint32_t size = 8;
  std::uint32_t trailing_bytes = 0;  // room behind the value, as for a multi timer's count
};

struct EncodedInstance {
  std::u16string name{};
  std::vector<std::int64_t> values{};  // one for each counter; of the texts, the letters are in `texts`
  std::uint32_t parent_object = 0;
  std::uint32_t parent_instance = 0;
  std::int32_t unique_id = -1;
  std::uint32_t trailing_count = 0;
  std::string ansi_name{};  // instead of name, for an object with a code page
};

struct EncodedObject {
  std::uint32_t name_index = 0;
  std::vector<EncodedCounter> counters{};
  std::vector<EncodedInstance> instances{};
  bool instanced = true;  // false: instances.front() is the counter block
  std::uint32_t code_page = 0;
  std::int64_t perf_time = 0;
  std::int64_t perf_frequency = 10'000'000;
  std::uint32_t extra_bytes = 0;  // appended to each structure, which readers have to step over
};

struct EncodedBlock {
  std::vector<EncodedObject> objects{};
  std::u16string system_name = u"WIN-TEST";
  std::int64_t perf_time = 0;
  std::int64_t perf_frequency = 10'000'000;
  std::int64_t perf_time_100ns = 0;
  std::optional<std::uint32_t> object_count;  // what the header claims, when it lies
};

[[nodiscard]] std::vector<std::byte> encode_block(const EncodedBlock& block);
/// Where each object begins in the encoded block.
[[nodiscard]] std::vector<std::size_t> object_offsets(const EncodedBlock& block);

/// REG_MULTI_SZ of UTF-16 as `Counter 009` is.
[[nodiscard]] std::vector<std::byte> encode_names(const std::vector<std::u16string>& strings);

void put_u32(std::vector<std::byte>& bytes, std::size_t offset, std::uint32_t value);

}  // namespace countertop::test
