// An HTTP client that does what no good client does: half requests, silence, reading nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace countertop::test {

class RawClient {
 public:
  /// To 127.0.0.1. `receive_buffer`: of the socket, 0 the system's.
  explicit RawClient(std::uint16_t port, int receive_buffer = 0);
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  RawClient(RawClient&& other) noexcept;
  ~RawClient();

  /// False when the other side has closed.
  bool send(std::string_view bytes);
  /// No more will be sent; answers can still come.
  void end_sending();
  /// Everything that comes until `end` is in it, the connection ends, or the time is up.
  std::string receive_until(std::string_view end, std::chrono::milliseconds limit = std::chrono::seconds(10));
  /// Everything until the connection ends.
  std::string receive_all(std::chrono::milliseconds limit = std::chrono::seconds(10));
  /// GET and the whole answer with its Content-Length.
  std::string get(std::string_view target);
  [[nodiscard]] bool is_closed_within(std::chrono::milliseconds limit);
  void close();

 private:
  bool receive_some(std::chrono::steady_clock::time_point deadline);
  std::string take(std::size_t bytes);

  int socket_ = -1;
  std::string rest_;  // received, not given yet
};

[[nodiscard]] inline std::string get_request(std::string_view target, std::string_view headers = {}) {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n" + std::string(headers) + "\r\n";
}

}  // namespace countertop::test
