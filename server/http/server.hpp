// HTTP on a socket: limits, connections, and the way to the API. The only room that knows the HTTP library.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "collectors/core/result.hpp"
#include "server/api/message.hpp"

namespace countertop::http {

struct ServerOptions {
  std::string host = "127.0.0.1";                   // a name or an address, IPv6 without brackets
  std::uint16_t port = 7177;                        // 0: any free one
  std::chrono::milliseconds receive_limit{10'000};  // head and body of a request must be there by then
  std::chrono::milliseconds send_limit{15'000};     // a reader that takes nothing for so long is dropped
  std::chrono::milliseconds answer_limit{10'000};   // an answer without stream must be ready by then
  std::chrono::milliseconds idle_limit{5'000};      // a connection without request is closed then
  std::size_t most_threads = 256;
  std::size_t most_idle = 512;  // connections without request
};

/// Answers one request; any thread, several at once. Must not throw.
using Handler = std::function<api::Response(const api::Request&)>;

class Server {
 public:
  /// Binds the socket; connections are taken from start() on. ErrorCode::busy: the port is in use.
  [[nodiscard]] static Result<std::unique_ptr<Server>> bind(const ServerOptions& options, Handler handler);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  void start();
  /// Ends all answers that are under way and waits for them. May be called twice.
  void stop();

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::size_t threads() const;
  [[nodiscard]] std::size_t idle_connections() const;

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace countertop::http
