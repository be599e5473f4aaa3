#include <algorithm>

#include "server/api/services.hpp"

namespace countertop::api {

void MarkLog::add(query::StoredMark mark) {
  const std::lock_guard lock(mutex_);
  if (entries_.size() == kKept) entries_.erase(entries_.begin());
  entries_.push_back({++sequence_, std::move(mark)});
}

std::vector<MarkLog::Entry> MarkLog::newer_than(std::uint64_t sequence) const {
  const std::lock_guard lock(mutex_);
  const auto first = std::ranges::upper_bound(entries_, sequence, {}, &Entry::sequence);
  return {first, entries_.end()};
}

std::uint64_t MarkLog::sequence() const {
  const std::lock_guard lock(mutex_);
  return sequence_;
}

}  // namespace countertop::api
