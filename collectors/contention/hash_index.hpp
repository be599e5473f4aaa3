// Finds entries that live elsewhere by their hash: the one hash table of this room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace countertop::contention {

/// Mixes one word into a hash; start with any constant.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 32);
}

/// Open addressing with linear probing over 8-byte slots, each the entry's number and half its hash, so that
/// growing and erasing never touch the entries. Not thread-safe.
class HashIndex {
 public:
  static constexpr std::uint32_t kNotFound = UINT32_MAX;

  /// The number of the entry with this hash for which `is_same(number)` holds.
  template <typename IsSame>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, const IsSame& is_same) const {
    if (slots_.empty()) return kNotFound;
    const std::uint32_t tag = tag_of(hash);
    for (std::size_t at = tag & mask();; at = (at + 1) & mask()) {
      const Slot& slot = slots_[at];
      if (slot.number == kNotFound) return kNotFound;
      if (slot.tag == tag && is_same(slot.number)) return slot.number;
    }
  }

  /// The entry must not be there yet; its number is below kNotFound.
  void insert(std::uint64_t hash, std::uint32_t number) {
    if ((count_ + 1) * 2 > slots_.size()) grow();
    place({number, tag_of(hash)});
    ++count_;
  }

  /// Nothing happens when the entry is not there.
  void erase(std::uint64_t hash, std::uint32_t number);
  void clear();
  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  struct Slot {
    std::uint32_t number = kNotFound;
    std::uint32_t tag = 0;
  };

  [[nodiscard]] static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash ^ (hash >> 32));
  }
  [[nodiscard]] std::size_t mask() const { return slots_.size() - 1; }
  void place(Slot slot) {
    std::size_t at = slot.tag & mask();
    while (slots_[at].number != kNotFound) at = (at + 1) & mask();
    slots_[at] = slot;
  }
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most half full
  std::size_t count_ = 0;
};

}  // namespace countertop::contention
