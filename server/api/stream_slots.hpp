// A bounded number of long-running answers at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace countertop::api {

class StreamSlots {
 public:
  explicit StreamSlots(std::size_t most) : most_(most) {}

  /// Held as long as the answer runs. Shared only because std::function copies what it holds.
  class Slot {
   public:
    explicit Slot(StreamSlots& slots) : slots_(slots) {}
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot() { slots_.used_.fetch_sub(1); }

   private:
    StreamSlots& slots_;
  };

  /// Null when all are taken.
  [[nodiscard]] std::shared_ptr<Slot> take() {
    std::size_t used = used_.load();
    while (used < most_) {
      if (used_.compare_exchange_weak(used, used + 1)) return std::make_shared<Slot>(*this);
    }
    return nullptr;
  }
  [[nodiscard]] std::size_t used() const { return used_.load(); }
  [[nodiscard]] std::size_t most() const { return most_; }

 private:
  const std::size_t most_;
  std::atomic<std::size_t> used_{0};
};

}  // namespace countertop::api
