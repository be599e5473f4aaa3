// The small files around processes; the first byte says which.
#include <cstdlib>
#include <string_view>

#include "collectors/proc/process_parser.hpp"
#include "collectors/proc/process_visibility.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace countertop::proc;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 6) {
    case 0:
      static_cast<void>(parse_process_io(text));
      break;
    case 1:
      static_cast<void>(parse_process_schedule(text));
      break;
    case 2:
      if (const auto count = count_cpu_list(text); count && *count <= 0) std::abort();
      break;
    case 3:
      if (const auto number = last_process_number(text); number && *number < 0) std::abort();
      break;
    case 4:
      if (const auto time = find_boot_time(text); time && *time < 0) std::abort();
      break;
    default:
      if (hidepid_option(text, "/proc").size() > text.size()) std::abort();
      break;
  }
  return 0;
}
