#include "collectors/contention/stack_table.hpp"

#include <algorithm>
#include <ranges>

namespace countertop::contention {

// Ids and positions are 32 bits wide.
StackTable::StackTable(std::size_t max_stacks, std::size_t max_frames)
    : max_stacks_(std::min<std::size_t>(max_stacks, UINT32_MAX - 1)),
      max_frames_(std::min<std::size_t>(max_frames, UINT32_MAX)) {}

StackId StackTable::intern(std::span<const std::uint64_t> addresses) {
  if (addresses.empty()) return kNoStack;
  addresses = addresses.first(std::min(addresses.size(), kMaxDepth));
  std::uint64_t hash = addresses.size();
  for (const std::uint64_t address : addresses) hash = mix(hash, address);
  const StackId known =
      index_.find(hash, [&](StackId id) { return std::ranges::equal(frames(id), addresses); });
  if (known != HashIndex::kNotFound) return known;
  if (size() >= max_stacks_ || addresses.size() > max_frames_ - addresses_.size()) {
    ++refused_;
    return kNoStack;
  }
  const auto id = static_cast<StackId>(extents_.size());
  extents_.push_back(
      {static_cast<std::uint32_t>(addresses_.size()), static_cast<std::uint32_t>(addresses.size())});
  addresses_.insert(addresses_.end(), addresses.begin(), addresses.end());
  index_.insert(hash, id);
  return id;
}

std::span<const std::uint64_t> StackTable::frames(StackId id) const {
  if (id >= extents_.size()) return {};
  const Extent extent = extents_[id];
  return std::span(addresses_).subspan(extent.first, extent.count);
}

}  // namespace countertop::contention
