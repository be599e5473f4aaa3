#include "server/http/parking.hpp"

#include <algorithm>
#include <memory>

#include "collectors/core/thread.hpp"

namespace countertop::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kRestWhenEmpty{60'000};

}  // namespace

Parking::Parking(Resume resume, milliseconds idle_time, std::size_t most)
    : resume_(std::move(resume)),
      idle_time_(idle_time),
      most_(most),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

Parking::~Parking() {
  thread_.request_stop();
  poller_.wake();
  thread_.join();
  close_all();
}

void Parking::park(Socket socket) {
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_) {
      close_connection(socket);
      return;
    }
    spots_.push_back({socket, steady_clock::now()});
  }
  poller_.wake();
}

void Parking::close_all() {
  std::vector<Spot> spots;
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    spots.swap(spots_);
  }
  for (const Spot& spot : spots) close_connection(spot.socket);
}

std::size_t Parking::parked() const {
  const std::lock_guard lock(mutex_);
  return spots_.size();
}

void Parking::close_old() {
  const auto limit = steady_clock::now() - idle_time_;
  std::size_t old = 0;
  while (old < spots_.size() && (spots_[old].since < limit || spots_.size() - old > most_)) {
    close_connection(spots_[old].socket);
    ++old;
  }
  spots_.erase(spots_.begin(), spots_.begin() + static_cast<std::ptrdiff_t>(old));
}

void Parking::run(const std::stop_token& stop) {
  set_thread_name("ct-parking");
  std::vector<Socket> sockets;
  std::vector<Socket> readable;
  while (!stop.stop_requested()) {
    milliseconds timeout = kRestWhenEmpty;
    {
      const std::lock_guard lock(mutex_);
      close_old();
      sockets.clear();
      for (const Spot& spot : spots_) sockets.push_back(spot.socket);
      if (!spots_.empty()) {
        const auto left = spots_.front().since + idle_time_ - steady_clock::now();
        timeout = std::max(std::chrono::ceil<milliseconds>(left), milliseconds(1));
      }
    }
    const auto ready = std::make_unique<bool[]>(sockets.size());
    poller_.wait(sockets, {ready.get(), sockets.size()}, timeout);
    readable.clear();
    {
      const std::lock_guard lock(mutex_);
      if (is_closed_) continue;
      // Spots were only added meanwhile: the first ones are those that were waited for.
      for (std::size_t i = sockets.size(); i-- > 0;) {
        if (!ready[i]) continue;
        readable.push_back(sockets[i]);
        spots_.erase(spots_.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
    for (const Socket socket : readable) resume_(socket);
  }
}

}  // namespace countertop::http
