// The queue between collectors and the writer: bounded, so that a stuck disk never takes the machine's
// memory.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace countertop {

/// Many producers, one consumer. When full the *oldest* item goes and is counted: the newest seconds are
/// worth more.
template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

  void push(T item) {
    {
      const std::lock_guard lock(mutex_);
      if (items_.size() == capacity_) {
        items_.pop_front();
        ++dropped_;
      }
      items_.push_back(std::move(item));
    }
    not_empty_.notify_one();
  }

  /// Waits for an item until `deadline` or a stop request; nullopt when neither brought one.
  template <typename TimePoint>
  [[nodiscard]] std::optional<T> pop_until(TimePoint deadline, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!not_empty_.wait_until(lock, stop, deadline, [this] { return !items_.empty(); })) return std::nullopt;
    return take_front();
  }

  /// What is there now, without waiting.
  [[nodiscard]] std::optional<T> try_pop() {
    const std::lock_guard lock(mutex_);
    if (items_.empty()) return std::nullopt;
    return take_front();
  }

  [[nodiscard]] std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return items_.size();
  }
  [[nodiscard]] std::uint64_t dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
  }

 private:
  T take_front() {
    T item = std::move(items_.front());
    items_.pop_front();
    return item;
  }

  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable_any not_empty_;
  std::deque<T> items_;        // guarded by mutex_
  std::uint64_t dropped_ = 0;  // guarded by mutex_
};

}  // namespace countertop
