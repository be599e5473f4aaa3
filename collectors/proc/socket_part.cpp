#include "collectors/proc/socket_part.hpp"

#include <utility>

#include "collectors/proc/keyed_text.hpp"

namespace countertop::proc {
namespace {

class SocketPart final : public MachinePart {
 public:
  SocketPart(const std::string& folder, std::int64_t page_bytes)
      : tcp_(make_tcp_object(page_bytes)),
        udp_(make_udp_object(page_bytes)),
        tcp_row_(*tcp_),
        udp_row_(*udp_),
        snmp_(folder + "/snmp"),
        netstat_(folder + "/netstat"),
        snmp6_(folder + "/snmp6"),
        sockstat_(folder + "/sockstat"),
        sockstat6_(folder + "/sockstat6") {}

  [[nodiscard]] std::string_view name() const override { return "tcp and udp"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override { return {tcp_, udp_}; }

  Result<void> read(PartReading& reading) override {
    tcp_row_.clear();
    udp_row_.clear();
    const TimeBase time = read_time_base(reading.clock);
    auto snmp = read_snmp(reading.files);
    if (!snmp) return snmp;
    note(read_netstat(reading.files), reading.out);
    note(read_sockets(reading.files), reading.out);
    read_version_6(reading.files);
    add(tcp_, tcp_row_, time, reading.out);
    add(udp_, udp_row_, time, reading.out);
    return {};
  }

 private:
  static void note(Result<void> result, Collected& out) {
    if (!result) out.problems.push_back(std::move(result.error()));
  }

  Result<void> read_snmp(FileTree& files) {
    const auto text = files.read(Tree::proc, snmp_);
    if (!text) return tl::unexpected(text.error());
    parse_protocol_table(*text, "Tcp", pairs_);
    tcp_row_.fill(pairs_, "Tcp ");
    parse_protocol_table(*text, "Udp", pairs_);
    udp_row_.fill(pairs_, "Udp ");
    if (!tcp_row_.has_any() && !udp_row_.has_any())
      return fail(ErrorCode::malformed, "/proc/" + snmp_ + " has neither Tcp nor Udp");
    return {};
  }

  Result<void> read_netstat(FileTree& files) {
    const auto text = files.read(Tree::proc, netstat_);
    if (!text) return tl::unexpected(text.error());
    parse_protocol_table(*text, "TcpExt", pairs_);
    tcp_row_.fill(pairs_, "TcpExt ");
    return {};
  }

  Result<void> read_sockets(FileTree& files) {
    const auto text = files.read(Tree::proc, sockstat_);
    if (!text) return tl::unexpected(text.error());
    parse_socket_line(*text, "TCP", pairs_);
    tcp_row_.fill(pairs_, "TCP ");
    parse_socket_line(*text, "UDP", pairs_);
    udp_row_.fill(pairs_, "UDP ");
    return {};
  }

  /// A machine without IPv6 lacks these files: then IPv4 is the whole sum. A file that is there and cannot be
  /// read is another matter, since a sum that lacks a part for a moment looks like a restart of the counter.
  void read_version_6(FileTree& files) {
    if (const auto text = files.read(Tree::proc, snmp6_)) {
      parse_key_values(*text, pairs_);
      udp_row_.fill(pairs_);
      zero_where_missing(udp_row_, udp_->fields, "Udp6");
    } else if (text.error().code == ErrorCode::not_found) {
      zero_where_missing(udp_row_, udp_->fields, "Udp6");
    }
    if (const auto text = files.read(Tree::proc, sockstat6_)) {
      parse_socket_line(*text, "TCP6", pairs_);
      tcp_row_.fill(pairs_, "TCP6 ");
      parse_socket_line(*text, "UDP6", pairs_);
      udp_row_.fill(pairs_, "UDP6 ");
    } else if (text.error().code == ErrorCode::not_found) {
      zero_where_missing(tcp_row_, tcp_->fields, "TCP6");
      zero_where_missing(udp_row_, udp_->fields, "UDP6");
    }
  }

  static void zero_where_missing(KeyedRow& row, const std::vector<FieldDefinition>& fields,
                                 std::string_view prefix) {
    for (const FieldDefinition& field : fields)
      if (field.name.starts_with(prefix) && row.get(field.name) == kNoValue) row.set(field.name, 0);
  }

  static void add(const ObjectHandle& object, const KeyedRow& row, const TimeBase& time, Collected& out) {
    Snapshot snapshot = begin_snapshot(object, time);
    add_instance(snapshot, "", row.values());
    out.snapshots.push_back(std::move(snapshot));
  }

  const ObjectHandle tcp_;
  const ObjectHandle udp_;
  KeyedRow tcp_row_;
  KeyedRow udp_row_;
  const std::string snmp_, netstat_, snmp6_, sockstat_, sockstat6_;
  std::vector<KeyValue> pairs_;
};

}  // namespace

std::unique_ptr<MachinePart> make_socket_part(const std::string& folder, std::int64_t page_bytes) {
  return std::make_unique<SocketPart>(folder, page_bytes);
}

}  // namespace countertop::proc
