// Each distinct stack once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectors/contention/event.hpp"
#include "collectors/contention/hash_index.hpp"

namespace countertop::contention {

/// Interns stacks of return addresses, innermost first. Addresses mean something only together with the
/// process; kernel addresses (top bit set) may come first, then user addresses. Not thread-safe. Bounded: at
/// the cap, new stacks become kNoStack and are counted; what is known is still found. With the default caps
/// at most 11 MiB.
class StackTable {
 public:
  explicit StackTable(std::size_t max_stacks = 65'536, std::size_t max_frames = 1'048'576);

  /// Frames beyond kMaxDepth are cut. An empty stack is kNoStack.
  StackId intern(std::span<const std::uint64_t> addresses);
  /// Empty for kNoStack and for a number that this table never gave. Valid until the next intern().
  [[nodiscard]] std::span<const std::uint64_t> frames(StackId id) const;
  /// Stacks held, without the empty one.
  [[nodiscard]] std::size_t size() const { return extents_.size() - 1; }
  /// How many times a new stack found no place.
  [[nodiscard]] std::uint64_t refused() const { return refused_; }

  static constexpr std::size_t kMaxDepth = 192;  // what Windows records at most

 private:
  struct Extent {
    std::uint32_t first;
    std::uint32_t count;
  };

  std::size_t max_stacks_;
  std::size_t max_frames_;
  std::vector<std::uint64_t> addresses_;
  std::vector<Extent> extents_{{0, 0}};  // by id; 0 is the empty stack
  HashIndex index_;
  std::uint64_t refused_ = 0;
};

}  // namespace countertop::contention
