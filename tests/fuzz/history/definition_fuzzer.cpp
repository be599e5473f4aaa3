// An object's definition as it may lie in a file that somebody edited: refused with a reason, or sound, and
// then the same when written and read again.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "collectors/core/cook.hpp"
#include "server/history/definition_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace countertop;
  const auto read = history::definition_from_json({reinterpret_cast<const char*>(data), size});
  if (!read) {
    if (read.error().code != ErrorCode::malformed || read.error().message.empty()) std::abort();
    return 0;
  }
  const ObjectDefinition& object = **read;
  if (!why_invalid(object).empty()) std::abort();
  const std::string text = history::definition_to_json(object);
  const auto again = history::definition_from_json(text);
  if (!again || history::definition_to_json(**again) != text) std::abort();

  const std::vector<std::int64_t> row(object.fields.size(), 1);
  const RawSample sample{row, {}};
  for (const CounterDefinition& counter : object.counters) {
    const Cooked cooked = cook(object, counter, &sample, sample);
    if (cooked.has_value() == std::isnan(cooked.value)) std::abort();
  }
  return 0;
}
