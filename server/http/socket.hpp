// The few things about sockets that the HTTP library does not do as we need them. One file for each system
// behind it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "collectors/core/result.hpp"

namespace countertop::http {

/// A descriptor on Linux, a SOCKET on Windows. Owned by whoever serves the connection.
using Socket = std::intptr_t;

/// False on timeout; an error or the end of the connection counts as readable.
[[nodiscard]] bool wait_readable(Socket socket, std::chrono::milliseconds timeout);
[[nodiscard]] bool wait_writable(Socket socket, std::chrono::milliseconds timeout);
/// Bytes received, 0 at the end, negative on an error. Does not wait.
[[nodiscard]] std::ptrdiff_t receive(Socket socket, std::span<char> buffer);
[[nodiscard]] std::ptrdiff_t send(Socket socket, std::string_view bytes);
/// The other side has closed, or the connection is broken. Does not wait.
[[nodiscard]] bool is_gone(Socket socket);
void close_connection(Socket socket);

/// Why nothing can be bound there: busy (somebody else has it), permission, unavailable (no such address
/// here).
[[nodiscard]] Error why_not_bound(std::string_view host, std::uint16_t port);

/// Waits for many sockets at once; `wake` ends the wait from another thread.
class Poller {
 public:
  Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;
  ~Poller();

  /// Sets `ready[i]` to whether sockets[i] can be read or is broken. Returns after `timeout` at the latest.
  void wait(std::span<const Socket> sockets, std::span<bool> ready, std::chrono::milliseconds timeout);
  void wake();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace countertop::http
