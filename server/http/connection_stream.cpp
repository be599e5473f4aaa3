#include "server/http/connection_stream.hpp"

#include <algorithm>

namespace countertop::http {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

ConnectionStream::ConnectionStream(Socket socket, milliseconds send_limit)
    : socket_(socket), send_limit_(send_limit), deadline_(steady_clock::time_point::max()) {}

bool ConnectionStream::is_readable() const {
  return has_buffered() || wait_readable(socket_, milliseconds(0));
}

bool ConnectionStream::is_writable() const {
  return wait_writable(socket_, send_limit_) && !is_gone(socket_);
}

ssize_t ConnectionStream::read(char* target, size_t size) {
  if (!has_buffered()) {
    const auto left = std::chrono::ceil<milliseconds>(deadline_ - steady_clock::now());
    if (left.count() <= 0 || !wait_readable(socket_, left)) {
      is_late_ = true;
      return -1;
    }
    const std::ptrdiff_t count = receive(socket_, buffer_);
    if (count <= 0) return count;
    offset_ = 0;
    filled_ = static_cast<std::size_t>(count);
  }
  const std::size_t count = std::min(size, filled_ - offset_);
  std::copy_n(buffer_.data() + offset_, count, target);
  offset_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t ConnectionStream::write(const char* bytes, size_t size) {
  if (!wait_writable(socket_, send_limit_)) return -1;
  return send(socket_, {bytes, size});
}

void ConnectionStream::get_remote_ip_and_port(std::string& ip, int& port) const {
  httplib::detail::get_remote_ip_and_port(socket(), ip, port);
}

void ConnectionStream::get_local_ip_and_port(std::string& ip, int& port) const {
  httplib::detail::get_local_ip_and_port(socket(), ip, port);
}

}  // namespace countertop::http
