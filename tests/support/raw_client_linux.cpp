#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "tests/support/raw_client.hpp"

namespace countertop::test {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

RawClient::RawClient(std::uint16_t port, int receive_buffer)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (receive_buffer > 0) setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof(receive_buffer));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) close();
}

RawClient::RawClient(RawClient&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), rest_(std::move(other.rest_)) {}

RawClient::~RawClient() { close(); }

void RawClient::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void RawClient::end_sending() { shutdown(socket_, SHUT_WR); }

/// Adds what comes to rest_; false when nothing came in time or the connection ended.
bool RawClient::receive_some(steady_clock::time_point deadline) {
  std::array<char, 65536> buffer{};
  const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
  pollfd entry{socket_, POLLIN, 0};
  if (left.count() <= 0 || poll(&entry, 1, static_cast<int>(left.count())) <= 0) return false;
  const ssize_t count = recv(socket_, buffer.data(), buffer.size(), 0);
  if (count <= 0) return false;
  rest_.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

std::string RawClient::take(std::size_t bytes) {
  std::string text = rest_.substr(0, bytes);
  rest_.erase(0, text.size());
  return text;
}

std::string RawClient::receive_until(std::string_view end, milliseconds limit) {
  const auto deadline = steady_clock::now() + limit;
  while (rest_.find(end) == std::string::npos) {
    if (!receive_some(deadline)) return take(rest_.size());
  }
  return take(rest_.find(end) + end.size());
}

std::string RawClient::receive_all(milliseconds limit) {
  const auto deadline = steady_clock::now() + limit;
  while (receive_some(deadline)) {
  }
  return take(rest_.size());
}

std::string RawClient::get(std::string_view target) {
  constexpr std::string_view kLength = "Content-Length: ";
  const auto deadline = steady_clock::now() + std::chrono::seconds(20);
  if (!send(get_request(target))) return {};
  const std::string head = receive_until("\r\n\r\n", std::chrono::seconds(20));
  const std::size_t found = head.find(kLength);
  const auto length =
      found == std::string::npos ? 0 : std::strtoul(head.c_str() + found + kLength.size(), nullptr, 10);
  while (rest_.size() < length && receive_some(deadline)) {
  }
  return head + take(length);
}

bool RawClient::is_closed_within(milliseconds limit) {
  const auto deadline = steady_clock::now() + limit;
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    pollfd entry{socket_, POLLIN, 0};
    if (left.count() <= 0 || poll(&entry, 1, static_cast<int>(left.count())) <= 0) return false;
    if (recv(socket_, buffer.data(), buffer.size(), 0) <= 0) return true;
  }
}

}  // namespace countertop::test
