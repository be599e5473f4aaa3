// Each distinct stack once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collectors/contention/event.hpp"

namespace countertop::contention {

/// Interns stacks of return addresses, innermost first. Addresses mean something only together with the
/// process; kernel addresses (top bit set) may come first, then user addresses. Not thread-safe. Bounded: at
/// the cap, new stacks become kNoStack and are counted.
class StackTable {
 public:
  explicit StackTable(std::size_t max_stacks = 65'536, std::size_t max_frames = 1'048'576);

  /// Frames beyond kMaxDepth are cut.
  StackId intern(std::span<const std::uint64_t> addresses);
  /// Valid until the next intern().
  [[nodiscard]] std::span<const std::uint64_t> frames(StackId id) const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::uint64_t refused() const;

  static constexpr std::size_t kMaxDepth = 192;  // what Windows records at most

 private:
  struct Extent {
    std::uint32_t first;
    std::uint32_t count;
  };
  [[nodiscard]] std::size_t slot_of(std::uint64_t hash, std::span<const std::uint64_t> addresses) const;
  void grow();

  std::size_t max_stacks_;
  std::size_t max_frames_;
  std::vector<std::uint64_t> addresses_;
  std::vector<Extent> extents_;        // by id; 0 is the empty stack
  std::vector<std::uint64_t> hashes_;  // by id
  std::vector<StackId> slots_;         // open addressing, power of two; 0 = free
  std::uint64_t refused_ = 0;
};

}  // namespace countertop::contention
