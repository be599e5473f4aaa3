#include "collectors/contention/correlator.hpp"

#include <algorithm>

namespace countertop::contention {

namespace {

// A waker may act while the thread is still on its way to sleep: the readied is then stamped before the
// blocked. Farther apart they do not belong together.
constexpr std::int64_t kReadiedBeforeBlockedNs = 1'000'000;

std::uint64_t hash_of(std::uint32_t thread) { return mix(0, thread); }

std::uint64_t length(std::int64_t from_ns, std::int64_t to_ns) {
  return to_ns > from_ns ? static_cast<std::uint64_t>(to_ns) - static_cast<std::uint64_t>(from_ns) : 0;
}

}  // namespace

Correlator::Correlator(WaitAggregate& aggregate, std::int64_t from_ns, std::size_t max_threads)
    : aggregate_(aggregate),
      window_from_ns_(from_ns),
      max_threads_(std::min<std::size_t>(max_threads, UINT32_MAX - 1)) {}

void Correlator::set_process(ProcessKey process) {
  // Bounded by the threads that can be followed: ids that ended without a word make room.
  if (starts_.size() >= max_threads_) starts_.clear();
  starts_[process.pid] = process.start;
}

ProcessKey Correlator::process_of(std::uint32_t pid) const {
  const auto found = starts_.find(pid);
  return {pid, found == starts_.end() ? 0 : found->second};
}

void Correlator::add(const Event& event) {
  ++counts_.events;
  if (event.thread == 0) return;  // the idle thread waits for nothing
  if (event.kind == EventKind::thread_ended) {
    forget(event.thread);
    return;
  }
  ThreadState* state = state_of(event);
  if (state == nullptr) return;
  if (event.process != 0 && event.process != state->process) {
    // Its id is used again, and nobody told that the former user ended.
    if (state->process != 0) {
      *state = {};
      state->thread = event.thread;
    }
    state->process = event.process;
  }
  switch (event.kind) {
    case EventKind::blocked:
      return on_blocked(*state, event);
    case EventKind::readied:
      return on_readied(*state, event);
    case EventKind::resumed:
      return on_resumed(*state, event);
    case EventKind::thread_ended:
      return;
  }
}

Correlator::ThreadState* Correlator::state_of(const Event& event) {
  const std::uint64_t hash = hash_of(event.thread);
  const std::uint32_t known =
      index_.find(hash, [&](std::uint32_t candidate) { return states_[candidate].thread == event.thread; });
  if (known != HashIndex::kNotFound) return &states_[known];
  if (index_.size() >= max_threads_) {
    ++counts_.threads_refused;
    return nullptr;
  }
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(states_.size()));
    states_.emplace_back();
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  states_[number].thread = event.thread;
  index_.insert(hash, number);
  return &states_[number];
}

void Correlator::forget(std::uint32_t thread) {
  const std::uint64_t hash = hash_of(thread);
  const std::uint32_t known =
      index_.find(hash, [&](std::uint32_t candidate) { return states_[candidate].thread == thread; });
  if (known == HashIndex::kNotFound) return;
  index_.erase(hash, known);
  states_[known] = {};
  free_.push_back(known);
}

void Correlator::on_blocked(ThreadState& state, const Event& event) {
  if (state.is_blocked) {
    ++counts_.blocked_twice;
    state.release = {};
  }
  const bool is_over = state.is_resumed_early && state.resumed_ns > event.time_ns;
  state.is_resumed_early = false;
  if (!is_over) {
    state.stack = kNoStack;
    state.lock_address = 0;
  }
  if (event.stack != kNoStack) state.stack = event.stack;
  if (event.lock_address != 0) state.lock_address = event.lock_address;
  state.reason = event.reason;
  state.blocked_ns = event.time_ns;
  state.counted_ns = std::max({state.counted_ns, window_from_ns_, event.time_ns});
  if (state.release.is_set && state.release.time_ns < event.time_ns - kReadiedBeforeBlockedNs) {
    state.release = {};
  }
  state.is_blocked = !is_over;
  if (is_over) {
    emit(state, state.resumed_ns, false);
    state.release = {};
  }
}

void Correlator::on_readied(ThreadState& state, const Event& event) {
  const bool is_of_running_wait =
      state.is_blocked && event.time_ns >= state.blocked_ns - kReadiedBeforeBlockedNs;
  if (state.is_blocked && !is_of_running_wait) return;
  // The first one makes the thread runnable; a thread that does not wait yet is released by the latest.
  if (state.is_blocked && state.release.is_set) return;
  state.release = {event.time_ns, event.by_thread, event.by_process, event.stack, event.by_interrupt, true};
}

void Correlator::on_resumed(ThreadState& state, const Event& event) {
  if (state.is_blocked && event.time_ns < state.blocked_ns) return;  // of an earlier wait, already counted
  if (event.stack != kNoStack || !state.is_blocked) state.stack = event.stack;
  if (event.lock_address != 0 || !state.is_blocked) state.lock_address = event.lock_address;
  if (state.is_blocked) {
    emit(state, event.time_ns, false);
    state.is_blocked = false;
    state.release = {};
  } else {
    state.is_resumed_early = true;
    state.resumed_ns = event.time_ns;
  }
}

void Correlator::emit(ThreadState& state, std::int64_t until_ns, bool is_open) {
  const Release& release = state.release;
  Wait wait;
  wait.key.process = process_of(state.process);
  wait.key.reason = state.reason;
  wait.key.lock_address = state.lock_address;
  wait.key.wait_stack = state.stack;
  wait.thread = state.thread;
  wait.in_window_ns = length(state.counted_ns, until_ns);
  wait.whole_ns = length(state.blocked_ns, until_ns);
  wait.is_open = is_open;
  if (release.is_set) {
    wait.key.woken_by_interrupt = release.by_interrupt;
    if (!release.by_interrupt) {
      if (release.by_process != 0) wait.key.waker_process = process_of(release.by_process);
      wait.key.waker_stack = release.stack;
      wait.by_thread = release.by_thread;
    }
    wait.run_queue_ns = length(std::max(release.time_ns, state.counted_ns), until_ns);
  }
  aggregate_.add(wait);
  state.counted_ns = std::max(state.counted_ns, until_ns);
}

void Correlator::cut(std::int64_t now_ns, const StackTable& old_stacks, StackTable& new_stacks) {
  window_from_ns_ = std::max(window_from_ns_, now_ns);
  const bool is_same_table = &old_stacks == &new_stacks;
  for (ThreadState& state : states_) {
    if (state.thread == 0) continue;
    if (state.is_blocked && now_ns > state.counted_ns) {
      emit(state, now_ns, true);
    }
    if (is_same_table) continue;
    state.stack = new_stacks.intern(old_stacks.frames(state.stack));
    state.release.stack = new_stacks.intern(old_stacks.frames(state.release.stack));
  }
}

}  // namespace countertop::contention
