// Waits summed by who waited, for what, where, and who released it.
#pragma once

#include <cstdint>
#include <vector>

#include "collectors/contention/hash_index.hpp"
#include "collectors/contention/wait_window.hpp"

namespace countertop::contention {

/// One wait, or the part of it that lies in the running window.
struct Wait {
  WaitKey key;
  std::uint32_t thread = 0;
  std::uint32_t by_thread = 0;     // 0 = not known
  std::uint64_t in_window_ns = 0;  // of it, what lies in the running window
  std::uint64_t run_queue_ns = 0;  // of `in_window_ns`: ready, waiting for a CPU
  std::uint64_t whole_ns = 0;      // from its start, which may lie in an earlier window
  bool is_open = false;            // cut at the window's end: it goes on
};

/// Not thread-safe. Bounded: at the cap of groups further kinds of waits go to `other`, at the cap of
/// threads' entries further ones are left out of `threads` alone. With the default caps at most 25 MiB.
class WaitAggregate {
 public:
  explicit WaitAggregate(std::size_t max_groups = 16'384, std::size_t max_thread_entries = 65'536);

  void add(const Wait& wait);

  /// Moves groups, other and threads into the window and starts anew.
  void take(RawWindow& window);

  [[nodiscard]] std::size_t groups() const { return groups_.size(); }

 private:
  struct ThreadEntry {
    ThreadWait wait;
    std::uint32_t group = 0;
  };

  void add_to_thread(const Wait& wait, std::uint32_t group);

  std::size_t max_groups_;
  std::size_t max_thread_entries_;
  std::vector<RawGroup> groups_;
  HashIndex group_index_;
  WaitTotals other_;
  std::vector<ThreadEntry> threads_;  // one for each thread, group and releasing thread
  HashIndex thread_index_;
};

}  // namespace countertop::contention
