// The bytes of one connection as the HTTP library wants them, with limits on time that hold for a whole
// request. To be included by the file that includes the library, and no other.
#pragma once

#include <httplib.h>

#include <array>
#include <chrono>
#include <string>

#include "server/http/socket.hpp"

namespace countertop::http {

class ConnectionStream final : public httplib::Stream {
 public:
  ConnectionStream(Socket socket, std::chrono::milliseconds send_limit);

  /// Whatever is read from now on must have come by then.
  void set_receive_deadline(std::chrono::steady_clock::time_point deadline) { deadline_ = deadline; }
  /// Bytes that came with the request before: the next request has begun.
  [[nodiscard]] bool has_buffered() const { return offset_ < filled_; }
  [[nodiscard]] bool is_late() const { return is_late_; }

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* target, size_t size) override;
  ssize_t write(const char* bytes, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return static_cast<socket_t>(socket_); }

 private:
  const Socket socket_;
  const std::chrono::milliseconds send_limit_;
  std::chrono::steady_clock::time_point deadline_;
  std::array<char, 4096> buffer_;
  std::size_t offset_ = 0, filled_ = 0;
  bool is_late_ = false;
};

}  // namespace countertop::http
