#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "server/http/socket.hpp"

namespace countertop::http {
namespace {

bool wait_for(Socket socket, short events, std::chrono::milliseconds timeout) {
  pollfd entry{static_cast<int>(socket), events, 0};
  const auto limit = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit - std::chrono::steady_clock::now());
    const int ready = poll(&entry, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready >= 0 || errno != EINTR) return ready != 0;
  }
}

Error bind_error(int code, std::string_view host, std::uint16_t port) {
  const std::string where = std::string(host) + ":" + std::to_string(port);
  switch (code) {
    case EADDRINUSE:
      return {ErrorCode::busy, where + " is in use by another program", "Choose another port with --listen.",
              code};
    case EACCES:
      return {ErrorCode::permission, "There is no right to listen on " + where,
              "Choose a port above 1023 with --listen.", code};
    case EADDRNOTAVAIL:
      return {ErrorCode::unavailable, "This machine has no address " + std::string(host),
              "Choose one of `ip address` with --listen, or 0.0.0.0 for all.", code};
    default:
      return {ErrorCode::io, "Listening on " + where + " failed: " + std::strerror(code), {}, code};
  }
}

}  // namespace

bool wait_readable(Socket socket, std::chrono::milliseconds timeout) {
  return wait_for(socket, POLLIN, timeout);
}

bool wait_writable(Socket socket, std::chrono::milliseconds timeout) {
  return wait_for(socket, POLLOUT, timeout);
}

std::ptrdiff_t receive(Socket socket, std::span<char> buffer) {
  for (;;) {
    const ssize_t count = recv(static_cast<int>(socket), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count >= 0 || errno != EINTR) return count;
  }
}

std::ptrdiff_t send(Socket socket, std::string_view bytes) {
  for (;;) {
    const ssize_t count =
        ::send(static_cast<int>(socket), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count >= 0 || errno != EINTR) return count;
  }
}

bool is_gone(Socket socket) {
  pollfd entry{static_cast<int>(socket), POLLRDHUP, 0};
  if (poll(&entry, 1, 0) <= 0) return false;
  return (entry.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0;
}

void close_connection(Socket socket) {
  shutdown(static_cast<int>(socket), SHUT_RDWR);
  close(static_cast<int>(socket));
}

Error why_not_bound(std::string_view host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failure = getaddrinfo(std::string(host).c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failure != 0) {
    return {ErrorCode::invalid_argument,
            "'" + std::string(host) + "' is no address: " + gai_strerror(failure),
            "Write --listen 127.0.0.1:7177.", 0};
  }
  int code = EADDRNOTAVAIL;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    const int descriptor = socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol);
    if (descriptor < 0) continue;
    const int yes = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    code = 0;
    if (bind(descriptor, one->ai_addr, one->ai_addrlen) != 0 || listen(descriptor, 1) != 0) code = errno;
    close(descriptor);
    if (code != 0) break;
  }
  freeaddrinfo(found);
  return bind_error(code, host, port);
}

struct Poller::State {
  int wake_descriptor = -1;
  std::vector<pollfd> entries;
};

Poller::Poller() : state_(std::make_unique<State>()) {
  state_->wake_descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

Poller::~Poller() {
  if (state_->wake_descriptor >= 0) close(state_->wake_descriptor);
}

void Poller::wait(std::span<const Socket> sockets, std::span<bool> ready, std::chrono::milliseconds timeout) {
  std::vector<pollfd>& entries = state_->entries;
  entries.clear();
  entries.push_back({state_->wake_descriptor, POLLIN, 0});
  for (const Socket one : sockets) entries.push_back({static_cast<int>(one), POLLIN, 0});
  const int count = poll(entries.data(), entries.size(), static_cast<int>(timeout.count()));
  for (std::size_t i = 0; i < sockets.size(); ++i) ready[i] = count > 0 && entries[i + 1].revents != 0;
  std::uint64_t woken = 0;
  if (count > 0 && entries.front().revents != 0)
    static_cast<void>(!read(state_->wake_descriptor, &woken, sizeof(woken)));
}

void Poller::wake() {
  const std::uint64_t one = 1;
  static_cast<void>(!write(state_->wake_descriptor, &one, sizeof(one)));
}

}  // namespace countertop::http
