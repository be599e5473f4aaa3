#include <cstdlib>
#include <string_view>

#include "collectors/core/utf8.hpp"
#include "collectors/proc/process_name.hpp"
#include "collectors/proc/process_parser.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace countertop::proc;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto stat = parse_process_stat(text);
  if (!stat) return 0;
  if (stat->comm.data() < text.data() || stat->comm.data() + stat->comm.size() > text.data() + text.size())
    std::abort();
  const std::string group = process_group(*stat);
  // What is handed on is never empty, and cleaning it once more changes nothing.
  if (group.empty() || countertop::sanitize_utf8(group) != group) std::abort();
  if (process_instance(group, 1, 2).size() != group.size() + 4) std::abort();
  return 0;
}
