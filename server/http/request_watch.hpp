// Ends requests whose client has gone or whose time is up.
#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "server/http/socket.hpp"

namespace countertop::http {

class RequestWatch {
 public:
  RequestWatch();
  RequestWatch(const RequestWatch&) = delete;
  RequestWatch& operator=(const RequestWatch&) = delete;
  ~RequestWatch();

  struct Entry {
    Socket socket;
    std::stop_source stop;
    std::optional<std::chrono::steady_clock::time_point> limit;  // guarded by the watch's mutex
  };

  /// Watches the connection for its own lifetime.
  class Guard {
   public:
    Guard(RequestWatch& watch, Socket socket, std::chrono::milliseconds time_limit);
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard();
    [[nodiscard]] std::stop_token token() const { return entry_->stop.get_token(); }
    /// For answers that may last: only the client's going ends them.
    void lift_time_limit();

   private:
    RequestWatch& watch_;
    std::list<Entry>::iterator entry_;
  };

  /// Ends all that are running, and each that begins later.
  void stop_all();

 private:
  void run(const std::stop_token& stop);
  /// How long until the next look; nullopt: nothing to watch.
  [[nodiscard]] std::optional<std::chrono::milliseconds> look();

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::list<Entry> entries_;  // guarded by mutex_
  bool is_stopped_ = false;   // guarded by mutex_
  std::jthread thread_;       // last: it uses everything above
};

}  // namespace countertop::http
