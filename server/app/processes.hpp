// Who else is on this machine, for messages that name the process in the way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countertop::app {

/// "" when there is no such process or it cannot be seen.
[[nodiscard]] std::string process_name(long pid);

struct ListeningSocket {
  std::uint16_t port = 0;
  std::uint64_t inode = 0;

  friend bool operator==(const ListeningSocket&, const ListeningSocket&) = default;
};
/// Rows of /proc/net/tcp or tcp6 in state LISTEN (0A); malformed rows are left out.
/// Format: Documentation/networking/proc_net_tcp.rst.
[[nodiscard]] std::vector<ListeningSocket> parse_listening_sockets(std::string_view text);

struct PortOwner {
  long pid = 0;
  std::string name;
};
/// Who listens on the TCP port; nullopt when it cannot be known, as for processes of other users.
[[nodiscard]] std::optional<PortOwner> find_port_owner(std::uint16_t port);

}  // namespace countertop::app
