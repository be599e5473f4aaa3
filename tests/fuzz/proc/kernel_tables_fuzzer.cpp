// The kernel's tables that the machine's parts read; the first byte says which.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/object.hpp"
#include "collectors/proc/disk_parser.hpp"
#include "collectors/proc/keyed_text.hpp"
#include "collectors/proc/load_part.hpp"
#include "collectors/proc/memory_object.hpp"
#include "collectors/proc/network_parser.hpp"
#include "collectors/proc/pressure_part.hpp"
#include "collectors/proc/stat_parser.hpp"
#include "collectors/proc/text_scan.hpp"

namespace {

using namespace countertop::proc;

void require(bool holds) {
  if (!holds) std::abort();
}

/// Points into `text`, or is empty.
void require_inside(std::string_view part, std::string_view text) {
  require(part.empty() ||
          (part.data() >= text.data() && part.data() + part.size() <= text.data() + text.size()));
}

void stat(std::string_view text) {
  StatFile file;
  parse_stat(text, file);
  for (std::size_t i = 1; i < file.cpus.size(); ++i) require(file.cpus[i - 1].number < file.cpus[i].number);
}

void keyed(std::string_view text) {
  std::vector<KeyValue> pairs;
  static const auto object = make_vm_object(4096);
  KeyedRow row(*object);
  parse_key_values(text, pairs);
  for (const KeyValue& pair : pairs) require_inside(pair.key, text);
  row.fill_summing_zones(pairs);
  parse_protocol_table(text, "Tcp", pairs);
  for (const KeyValue& pair : pairs) require_inside(pair.key, text);
  parse_socket_line(text, "TCP", pairs);
  for (const KeyValue& pair : pairs) require_inside(pair.key, text);
}

void numbers(std::string_view text) {
  if (const auto number = parse_number(text)) require(*number != countertop::kNoValue);
  if (const auto hundredths = parse_hundredths(text)) require(*hundredths >= 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::vector<DiskRow> disks;
  std::vector<NetworkRow> interfaces;
  switch (data[0] % 7) {
    case 0:
      stat(text);
      break;
    case 1:
      keyed(text);
      break;
    case 2:
      parse_disks(text, disks);
      for (const DiskRow& row : disks) require_inside(row.name, text);
      break;
    case 3:
      parse_network(text, interfaces);
      for (const NetworkRow& row : interfaces) require_inside(row.name, text);
      break;
    case 4:
      if (const auto load = parse_load(text)) require(load->one_minute >= 0);
      break;
    case 5:
      static_cast<void>(parse_pressure(text));
      break;
    default:
      numbers(text);
      break;
  }
  return 0;
}
