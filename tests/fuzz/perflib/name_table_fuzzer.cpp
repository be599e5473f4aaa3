// Any bytes as a name table: what was read can be written as lines and read back alike.
#include <cstdlib>
#include <string_view>

#include "collectors/perflib/name_table.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace countertop::perflib;
  const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  for (const NameTable& table : {NameTable::from_multi_string(bytes), NameTable::from_file(bytes)}) {
    const std::string lines = table.to_lines();
    if (NameTable::from_lines(lines).entries() != table.entries()) std::abort();
    for (const auto& [index, text] : table.entries()) {
      bool is_found = false;
      for (const auto found : table.find(text)) is_found = is_found || found == index;
      if (!is_found) std::abort();
    }
  }
  return 0;
}
