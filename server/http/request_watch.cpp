#include "server/http/request_watch.hpp"

#include "collectors/core/thread.hpp"

namespace countertop::http {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kOften{100};    // while requests run that have a time limit
constexpr milliseconds kSeldom{1000};  // while only streams do

}  // namespace

RequestWatch::RequestWatch() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

RequestWatch::~RequestWatch() = default;

RequestWatch::Guard::Guard(RequestWatch& watch, Socket socket, milliseconds time_limit) : watch_(watch) {
  bool is_first = false;
  {
    const std::lock_guard lock(watch_.mutex_);
    is_first = watch_.entries_.empty();
    entry_ = watch_.entries_.insert(watch_.entries_.end(), {socket, {}, steady_clock::now() + time_limit});
    if (watch_.is_stopped_) entry_->stop.request_stop();
  }
  if (is_first) watch_.changed_.notify_one();
}

RequestWatch::Guard::~Guard() {
  const std::lock_guard lock(watch_.mutex_);
  watch_.entries_.erase(entry_);
}

void RequestWatch::Guard::lift_time_limit() {
  const std::lock_guard lock(watch_.mutex_);
  entry_->limit.reset();
}

void RequestWatch::stop_all() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  for (Entry& entry : entries_) entry.stop.request_stop();
}

std::optional<milliseconds> RequestWatch::look() {
  if (entries_.empty()) return std::nullopt;
  const auto now = steady_clock::now();
  milliseconds pause = kSeldom;
  for (Entry& entry : entries_) {
    if (entry.limit) pause = kOften;
    if (entry.stop.stop_requested()) continue;
    if ((entry.limit && now >= *entry.limit) || is_gone(entry.socket)) entry.stop.request_stop();
  }
  return pause;
}

void RequestWatch::run(const std::stop_token& stop) {
  set_thread_name("ct-watch");
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    // A request that has just begun is looked at one pause later: most are over by then.
    if (entries_.empty()) {
      changed_.wait(lock, stop, [this] { return !entries_.empty(); });
    }
    const milliseconds pause = look().value_or(kOften);
    changed_.wait_for(lock, stop, pause, [] { return false; });
  }
}

}  // namespace countertop::http
