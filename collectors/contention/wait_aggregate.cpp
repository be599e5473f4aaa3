#include "collectors/contention/wait_aggregate.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace countertop::contention {

namespace {

constexpr std::uint32_t kNoGroup = UINT32_MAX;

std::uint64_t hash_of(const WaitKey& key) {
  std::uint64_t hash = mix(key.process.start, key.process.pid);
  hash = mix(hash, key.lock_address);
  hash = mix(hash, static_cast<std::uint64_t>(key.wait_stack) << 32 | key.waker_stack);
  hash = mix(hash, key.waker_process.start);
  return mix(hash, static_cast<std::uint64_t>(key.waker_process.pid) << 32 |
                       static_cast<std::uint64_t>(key.reason) << 1 | (key.woken_by_interrupt ? 1 : 0));
}

void add_to(WaitTotals& totals, const Wait& wait) {
  totals.total_ns += wait.in_window_ns;
  totals.run_queue_ns += wait.run_queue_ns;
  totals.max_ns = std::max(totals.max_ns, wait.whole_ns);
  // An open wait is counted, with its whole length, where it ends.
  if (wait.is_open) {
    ++totals.cut;
  } else {
    ++totals.waits;
    totals.histogram.add(wait.whole_ns);
  }
}

/// One line for each thread and thing it waited for; of those who released it the weightiest stays.
std::vector<ThreadWait> merged(std::vector<ThreadWait> parts) {
  const auto thing_of = [](const ThreadWait& part) {
    return std::tuple(part.process, part.thread, part.reason, part.lock_address,
                      part.lock_address == 0 ? part.wait_stack : kNoStack);
  };
  std::ranges::sort(parts, [&](const ThreadWait& a, const ThreadWait& b) {
    return std::tuple(thing_of(a), a.by_thread) < std::tuple(thing_of(b), b.by_thread);
  });
  std::vector<ThreadWait> result;
  std::uint64_t most_ns = 0;
  for (std::size_t from = 0; from < parts.size();) {
    ThreadWait by_one = parts[from];  // everything that one thread released
    std::size_t to = from + 1;
    for (; to < parts.size() && thing_of(parts[to]) == thing_of(by_one) &&
           parts[to].by_thread == by_one.by_thread;
         ++to) {
      by_one.waits += parts[to].waits;
      by_one.total_ns += parts[to].total_ns;
    }
    if (result.empty() || thing_of(result.back()) != thing_of(by_one)) {
      result.push_back(by_one);
      most_ns = by_one.by_thread == 0 ? 0 : by_one.total_ns;
    } else {
      ThreadWait& line = result.back();
      line.waits += by_one.waits;
      line.total_ns += by_one.total_ns;
      if (by_one.by_thread != 0 && (line.by_thread == 0 || by_one.total_ns > most_ns)) {
        line.by_thread = by_one.by_thread;
        most_ns = by_one.total_ns;
      }
    }
    from = to;
  }
  return result;
}

}  // namespace

WaitAggregate::WaitAggregate(std::size_t max_groups, std::size_t max_thread_entries)
    : max_groups_(std::min<std::size_t>(max_groups, kNoGroup - 1)),
      max_thread_entries_(std::min<std::size_t>(max_thread_entries, UINT32_MAX - 1)) {}

void WaitAggregate::add(const Wait& wait) {
  const std::uint64_t hash = hash_of(wait.key);
  std::uint32_t group =
      group_index_.find(hash, [&](std::uint32_t candidate) { return groups_[candidate].key == wait.key; });
  if (group == HashIndex::kNotFound) {
    if (groups_.size() >= max_groups_) {
      add_to(other_, wait);
      add_to_thread(wait, kNoGroup);
      return;
    }
    group = static_cast<std::uint32_t>(groups_.size());
    groups_.push_back({wait.key, {}});
    group_index_.insert(hash, group);
  }
  add_to(groups_[group].totals, wait);
  add_to_thread(wait, group);
}

void WaitAggregate::add_to_thread(const Wait& wait, std::uint32_t group) {
  const std::uint64_t hash =
      mix(mix(group, static_cast<std::uint64_t>(wait.thread) << 32 | wait.by_thread), wait.key.process.pid);
  std::uint32_t at = thread_index_.find(hash, [&](std::uint32_t candidate) {
    const ThreadEntry& entry = threads_[candidate];
    return entry.group == group && entry.wait.thread == wait.thread &&
           entry.wait.by_thread == wait.by_thread && entry.wait.process == wait.key.process;
  });
  if (at == HashIndex::kNotFound) {
    if (threads_.size() >= max_thread_entries_) return;
    at = static_cast<std::uint32_t>(threads_.size());
    const WaitKey thing = group == kNoGroup ? WaitKey{} : wait.key;
    threads_.push_back({{wait.key.process, wait.thread, thing.reason, thing.lock_address, thing.wait_stack,
                         wait.by_thread, 0, 0},
                        group});
    thread_index_.insert(hash, at);
  }
  ThreadWait& line = threads_[at].wait;
  if (!wait.is_open) ++line.waits;
  line.total_ns += wait.in_window_ns;
}

void WaitAggregate::take(RawWindow& window) {
  window.groups = std::exchange(groups_, {});
  window.other = std::exchange(other_, {});
  std::vector<ThreadWait> parts;
  parts.reserve(threads_.size());
  for (const ThreadEntry& entry : threads_) parts.push_back(entry.wait);
  window.threads = merged(std::move(parts));
  threads_.clear();
  group_index_.clear();
  thread_index_.clear();
}

}  // namespace countertop::contention
