// Values of settings as people write them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countertop::app {

/// "250ms", "1s", "1.5h", "30d", "4w", "1y" (365 days). nullopt for anything else, for negatives and
/// overflow.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

/// "16MiB", "2GiB", "500MB", "1048576". Bytes; nullopt as above.
[[nodiscard]] std::optional<std::int64_t> parse_size(std::string_view text);

struct ListenAddress {
  std::string host;        // "127.0.0.1", "::1", "0.0.0.0", "localhost"; without brackets
  std::uint16_t port = 0;  // 0: any free port

  [[nodiscard]] bool is_loopback() const;
  /// "127.0.0.1:7177", "[::1]:7177".
  [[nodiscard]] std::string text() const;

  friend bool operator==(const ListenAddress&, const ListenAddress&) = default;
};
/// "127.0.0.1:7177", "[::1]:7177", ":7177" (loopback), "7177" (loopback).
[[nodiscard]] std::optional<ListenAddress> parse_listen_address(std::string_view text);

/// Comma-separated, blanks around items dropped, empty items left out.
[[nodiscard]] std::vector<std::string> parse_list(std::string_view text);

}  // namespace countertop::app
