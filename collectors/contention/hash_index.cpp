#include "collectors/contention/hash_index.hpp"

#include <utility>

namespace countertop::contention {

void HashIndex::grow() {
  std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
  std::swap(old, slots_);
  for (const Slot& slot : old) {
    if (slot.number != kNotFound) place(slot);
  }
}

void HashIndex::erase(std::uint64_t hash, std::uint32_t number) {
  if (slots_.empty()) return;
  std::size_t hole = tag_of(hash) & mask();
  while (slots_[hole].number != number) {
    if (slots_[hole].number == kNotFound) return;
    hole = (hole + 1) & mask();
  }
  // Entries that were pushed past the hole move back, so that no search ends early.
  for (std::size_t at = (hole + 1) & mask(); slots_[at].number != kNotFound; at = (at + 1) & mask()) {
    const std::size_t home = slots_[at].tag & mask();
    if (((at - home) & mask()) < ((at - hole) & mask())) continue;
    slots_[hole] = slots_[at];
    hole = at;
  }
  slots_[hole] = {};
  --count_;
}

void HashIndex::clear() {
  slots_.clear();
  count_ = 0;
}

}  // namespace countertop::contention
