// Connections on which nothing happens wait here without a thread of their own.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "server/http/socket.hpp"

namespace countertop::http {

/// Keep-alive connections between two requests, and new ones before the first byte.
class Parking {
 public:
  using Resume = std::function<void(Socket)>;

  /// `resume` is called on the parking's own thread with a connection that has something to read, and then
  /// owns it. One on which nothing comes for `idle_time` is closed, and so is the one that waits longest when
  /// there are more than `most`.
  Parking(Resume resume, std::chrono::milliseconds idle_time, std::size_t most);
  Parking(const Parking&) = delete;
  Parking& operator=(const Parking&) = delete;
  ~Parking();

  /// Takes ownership. Any thread.
  void park(Socket socket);
  /// Closes everything that is parked, now and later. Any thread.
  void close_all();
  [[nodiscard]] std::size_t parked() const;

 private:
  struct Spot {
    Socket socket;
    std::chrono::steady_clock::time_point since;
  };
  void run(const std::stop_token& stop);
  void close_old();

  const Resume resume_;
  const std::chrono::milliseconds idle_time_;
  const std::size_t most_;
  Poller poller_;
  mutable std::mutex mutex_;
  std::vector<Spot> spots_;  // guarded by mutex_; oldest first
  bool is_closed_ = false;   // guarded by mutex_
  std::jthread thread_;      // last: it uses everything above
};

}  // namespace countertop::http
