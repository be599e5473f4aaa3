// /proc/net/dev (net/core/net-procfs.c). Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace countertop::proc {

/// Columns behind the name.
enum NetworkColumn : std::uint16_t {
  kReceivedBytes,
  kReceivedPackets,
  kReceiveErrors,
  kReceiveDrops,
  kReceiveFifo,
  kReceiveFrame,
  kReceivedCompressed,
  kReceivedMulticast,
  kSentBytes,
  kSentPackets,
  kSendErrors,
  kSendDrops,
  kSendFifo,
  kCollisions,
  kCarrierErrors,
  kSentCompressed,
  kNetworkColumnCount,
};

struct NetworkRow {
  std::string_view name;  // points into the parsed text
  std::array<std::int64_t, kNetworkColumnCount> values{};
};

/// Rows in the file's order; `out` is emptied first and keeps its memory. Gives the number of rows that were
/// left out.
std::size_t parse_network(std::string_view text, std::vector<NetworkRow>& out);

}  // namespace countertop::proc
