// Threads that come when there is work and go when there is none.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace countertop::http {

class ThreadPool {
 public:
  /// At most `most` threads; one without work for `idle_time` ends.
  explicit ThreadPool(std::size_t most, std::chrono::milliseconds idle_time = std::chrono::seconds(10));
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  /// Starts at once while there are threads left; waits in line otherwise. False after shutdown. Tasks must
  /// not throw.
  bool enqueue(std::function<void()> task);
  /// Waits for the tasks that run; what waits in line is run too.
  void shutdown();

  [[nodiscard]] std::size_t threads() const;
  /// Tasks in line because all threads are busy.
  [[nodiscard]] std::size_t waiting() const;

 private:
  void work();
  void join_ended(std::unique_lock<std::mutex>& lock);

  const std::size_t most_;
  const std::chrono::milliseconds idle_time_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;  // all guarded by mutex_
  std::vector<std::thread> threads_;
  std::vector<std::thread::id> ended_;
  std::size_t idle_ = 0;
  bool is_shut_ = false;
};

}  // namespace countertop::http
