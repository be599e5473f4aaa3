// Input: ticks, each after two bytes with its size. The check sums are added here: otherwise hardly any input
// would come past them.
#include <algorithm>
#include <cstdlib>

#include "server/history/tick_codec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace countertop::history;
  TickDecoder decoder;
  while (size >= 2) {
    const std::size_t length = std::min<std::size_t>(data[0] | std::size_t{data[1]} << 8, size - 2);
    Bytes blob(data + 2, data + 2 + length);
    append_check(blob);
    data += 2 + length;
    size -= 2 + length;
    (void)decoder.replay(blob, [](const TickRecord& record) {
      if (record.values.size() != record.instances.size() * record.fields) std::abort();
      if (record.values.size() > kMaxTickValues || record.fields > kMaxTickFields) std::abort();
    });
  }
  return 0;
}
