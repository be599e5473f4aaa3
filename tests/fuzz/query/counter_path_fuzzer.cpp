// Whatever parses must print to something that parses to the same path; any text as a name must survive
// printing.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "server/query/counter_path.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace countertop::query;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto path = parse_counter_path(text)) {
    const std::string printed = format_counter_path(*path);
    // Escapes may make the printed form longer than what a request may hold.
    const auto again = parse_counter_path(printed);
    if (printed.size() <= kMaxPathBytes && (!again || *again != *path)) std::abort();
    static_cast<void>(matches(path->counter, text));
  }
  if (size == 0 || size > kMaxPathBytes / 8) return 0;
  const std::size_t half = size / 2;
  const CounterPath made{std::string(text.substr(half)), "object", literal(text.substr(0, half)),
                         literal(text)};
  const auto back = parse_counter_path(format_counter_path(made));
  if (!back || *back != made || exact_name(back->counter) != text) std::abort();
  if (!matches(made.counter, text)) std::abort();
  static_cast<void>(parse_process_instance(text));
  return 0;
}
