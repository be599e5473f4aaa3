// Kernel files that are lists of named numbers, and rows that are filled from them by name. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "collectors/core/object.hpp"

namespace countertop::proc {

/// Points into the parsed text.
struct KeyValue {
  std::string_view key;
  std::int64_t value = 0;
};

/// "MemTotal:  24683620 kB" (/proc/meminfo) or "pgfault 2781666" (/proc/vmstat, /proc/net/snmp6): a name, a
/// number, and whatever follows. Lines of another form are left out. `out` is emptied first and keeps its
/// memory.
void parse_key_values(std::string_view text, std::vector<KeyValue>& out);

/// One section of /proc/net/snmp or netstat: "Tcp: InSegs OutSegs" over "Tcp: 4262 2597". Names without a
/// number, as in a text that was cut, are left out.
void parse_protocol_table(std::string_view text, std::string_view section, std::vector<KeyValue>& out);

/// One line of /proc/net/sockstat: "TCP: inuse 1 orphan 0 tw 0 alloc 1 mem 141".
void parse_socket_line(std::string_view text, std::string_view section, std::vector<KeyValue>& out);

/// One row of values of an object whose fields are called as their source calls them.
class KeyedRow {
 public:
  /// `object` must outlive the row.
  explicit KeyedRow(const ObjectDefinition& object);

  /// Every field becomes kNoValue.
  void clear();
  /// Fields called `prefix` + key. What no field is called is passed over; a name that comes twice counts
  /// once, the last.
  void fill(std::span<const KeyValue> pairs, std::string_view prefix = {});
  /// The same, where a file gives parts of a sum under names with an ending (allocstall_normal,
  /// pgscan_kswapd_dma32): the field without the ending gets the sum of the parts, unless the file has it as
  /// well.
  void fill_summing_zones(std::span<const KeyValue> pairs);

  [[nodiscard]] std::int64_t get(std::string_view field) const;  // kNoValue for a name that is no field
  void set(std::string_view field, std::int64_t value);
  [[nodiscard]] std::span<const std::int64_t> values() const { return values_; }
  [[nodiscard]] bool has_any() const;

 private:
  std::unordered_map<std::string_view, std::size_t> index_;
  std::vector<std::int64_t> values_;
  std::string name_;  // reused for prefix + key
};

}  // namespace countertop::proc
