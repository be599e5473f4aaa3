#include "collectors/proc/disk_parser.hpp"

#include "collectors/core/object.hpp"
#include "collectors/proc/text_scan.hpp"

namespace countertop::proc {
namespace {

/// Partitions before Linux 2.6.25 have these four columns only.
constexpr std::array<DiskField, 4> kOldPartition = {kReads, kSectorsRead, kWrites, kSectorsWritten};
constexpr std::size_t kFewestColumns = kWeightedTime + 1;

bool parse_row(std::string_view line, DiskRow& row) {
  const auto major = take_number(line), minor = take_number(line);
  row.name = take_word(line);
  if (!major || !minor || row.name.empty()) return false;

  std::array<std::int64_t, kDiskFieldCount> columns{};
  std::size_t count = 0;
  for (; count < columns.size(); ++count) {
    const std::string_view word = take_word(line);
    if (word.empty()) break;
    const auto value = parse_number(word);
    if (!value) return false;
    columns[count] = *value;
  }
  row.values.fill(kNoValue);
  if (count == kOldPartition.size()) {
    for (std::size_t i = 0; i < count; ++i) row.values[kOldPartition[i]] = columns[i];
    return true;
  }
  if (count < kFewestColumns) return false;
  for (std::size_t i = 0; i < count; ++i) row.values[i] = columns[i];
  return true;
}

}  // namespace

std::size_t parse_disks(std::string_view text, std::vector<DiskRow>& out) {
  return parse_rows(text, out, parse_row);
}

}  // namespace countertop::proc
