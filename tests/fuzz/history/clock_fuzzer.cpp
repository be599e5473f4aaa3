// The check sum is added here: otherwise hardly any input would come past it.
#include <cstdlib>

#include "server/history/clock_codec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace countertop;
  using namespace countertop::history;
  static ClockDecoder decoder;
  static const std::vector<TimeBase> reference(3, TimeBase{1'767'225'600'000, 12'345'678, 10'000, 0, 0, 0});
  Bytes blob(data, data + size);
  append_check(blob);
  const auto needed = clock_reference(blob);
  std::vector<TimeBase> times;
  const std::span<const TimeBase> base =
      needed && *needed ? std::span(reference) : std::span<const TimeBase>();
  if (decoder.decode(blob, base, times) && (!needed || times.empty() || times.size() > kMaxChunkRows))
    std::abort();
  return 0;
}
