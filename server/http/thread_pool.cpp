#include "server/http/thread_pool.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "collectors/core/thread.hpp"

namespace countertop::http {

ThreadPool::ThreadPool(std::size_t most, std::chrono::milliseconds idle_time)
    : most_(most), idle_time_(idle_time) {}

ThreadPool::~ThreadPool() { shutdown(); }

bool ThreadPool::enqueue(std::function<void()> task) {
  std::unique_lock lock(mutex_);
  if (is_shut_) return false;
  tasks_.push_back(std::move(task));
  join_ended(lock);
  if (tasks_.size() > idle_ && threads_.size() < most_) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // The system gives no more threads: the task waits for one of those that are there.
      if (threads_.empty()) {
        tasks_.pop_back();
        return false;
      }
    }
  }
  changed_.notify_one();
  return true;
}

void ThreadPool::join_ended(std::unique_lock<std::mutex>& /*lock*/) {
  for (const std::thread::id id : ended_) {
    const auto found = std::ranges::find(threads_, id, &std::thread::get_id);
    if (found == threads_.end()) continue;
    found->join();  // it has left the mutex for good
    threads_.erase(found);
  }
  ended_.clear();
}

void ThreadPool::work() {
  set_thread_name("ct-http");
  std::unique_lock lock(mutex_);
  for (;;) {
    if (tasks_.empty()) {
      if (is_shut_) return;
      ++idle_;
      const bool is_woken =
          changed_.wait_for(lock, idle_time_, [this] { return is_shut_ || !tasks_.empty(); });
      --idle_;
      if (!is_woken) {
        ended_.push_back(std::this_thread::get_id());
        return;
      }
      continue;
    }
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
  }
}

void ThreadPool::shutdown() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    is_shut_ = true;
    threads.swap(threads_);
    ended_.clear();
  }
  changed_.notify_all();
  for (std::thread& one : threads) one.join();
}

std::size_t ThreadPool::threads() const {
  const std::lock_guard lock(mutex_);
  return threads_.size() - ended_.size();
}

std::size_t ThreadPool::waiting() const {
  const std::lock_guard lock(mutex_);
  return tasks_.size();
}

}  // namespace countertop::http
