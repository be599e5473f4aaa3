// The objects `tcp` and `udp`, from /proc/net/{snmp,netstat,snmp6,sockstat,sockstat6}.
#pragma once

#include <memory>
#include <string>

#include "collectors/proc/machine_part.hpp"

namespace countertop::proc {

/// Fields are called SECTION NAME as in those files: "Tcp InSegs", "TcpExt ListenDrops", "TCP tw",
/// "Udp6InDatagrams".
[[nodiscard]] ObjectHandle make_tcp_object(std::int64_t page_bytes);
[[nodiscard]] ObjectHandle make_udp_object(std::int64_t page_bytes);

/// `folder` as network_folder.
[[nodiscard]] std::unique_ptr<MachinePart> make_socket_part(const std::string& folder,
                                                            std::int64_t page_bytes);

}  // namespace countertop::proc
