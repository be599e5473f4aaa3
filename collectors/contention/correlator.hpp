// Turns single events into waits: what a thread's blocked, readied and resumed say together.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "collectors/contention/event.hpp"
#include "collectors/contention/hash_index.hpp"
#include "collectors/contention/stack_table.hpp"
#include "collectors/contention/wait_aggregate.hpp"

namespace countertop::contention {

/// What the correlator met that it could not pair. Each is a wait that is missing from the sums.
struct CorrelatorCounts {
  std::uint64_t events = 0;
  std::uint64_t blocked_twice = 0;    // its resumed was lost: nobody knows how long it waited
  std::uint64_t threads_refused = 0;  // events of threads beyond the cap
};

/// One state for each thread, whatever CPU it runs on, so that migration changes nothing. Waits go into the
/// aggregate. Not thread-safe. Bounded: beyond `max_threads` at once further threads are counted, not
/// followed. 96 bytes a thread and its place in the index: 30 MiB with the default cap.
class Correlator {
 public:
  /// Nothing before `from_ns` counts.
  Correlator(WaitAggregate& aggregate, std::int64_t from_ns, std::size_t max_threads = 262'144);

  /// Tells which user of a process id is meant from now on. Without it the start is 0.
  void set_process(ProcessKey process);

  /// A resumed or a readied may come before its blocked, as events of two CPUs do.
  void add(const Event& event);

  /// Ends a window: waits still open are cut at `now_ns`, flagged, and go on in the next window. Stacks of
  /// open waits move from `old_stacks` to `new_stacks`; they may be the same table.
  void cut(std::int64_t now_ns, const StackTable& old_stacks, StackTable& new_stacks);

  [[nodiscard]] const CorrelatorCounts& counts() const { return counts_; }
  [[nodiscard]] std::size_t threads() const { return index_.size(); }

 private:
  struct Release {
    std::int64_t time_ns = 0;
    std::uint32_t by_thread = 0;
    std::uint32_t by_process = 0;
    StackId stack = kNoStack;
    bool by_interrupt = false;
    bool is_set = false;
  };
  struct ThreadState {
    std::uint32_t thread = 0;
    std::uint32_t process = 0;
    KernelReason reason = KernelReason::unknown;
    bool is_blocked = false;
    StackId stack = kNoStack;             // came with the blocked, or with a resumed that came before it
    std::uint64_t lock_address = 0;       // likewise
    std::int64_t blocked_ns = 0;          // of the running wait
    std::int64_t counted_ns = INT64_MIN;  // up to here its waiting is in the sums: nothing counts twice
    std::int64_t resumed_ns = 0;          // of a resumed whose blocked may still come
    bool is_resumed_early = false;
    Release release;
  };

  ThreadState* state_of(const Event& event);
  void forget(std::uint32_t thread);
  void on_blocked(ThreadState& state, const Event& event);
  void on_readied(ThreadState& state, const Event& event);
  void on_resumed(ThreadState& state, const Event& event);
  void emit(ThreadState& state, std::int64_t until_ns, bool is_open);
  [[nodiscard]] ProcessKey process_of(std::uint32_t pid) const;

  WaitAggregate& aggregate_;
  std::int64_t window_from_ns_;
  std::size_t max_threads_;
  std::vector<ThreadState> states_;
  std::vector<std::uint32_t> free_;
  HashIndex index_;
  std::unordered_map<std::uint32_t, std::uint64_t> starts_;  // of the processes that live
  CorrelatorCounts counts_;
};

}  // namespace countertop::contention
