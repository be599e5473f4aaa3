#include "collectors/contention/wait_engine.hpp"

#include <utility>

namespace countertop::contention {

WaitEngine::WaitEngine(Method method, std::int64_t from_ns, std::int64_t from_wall_ms, EngineLimits limits)
    : method_(method),
      limits_(limits),
      from_ns_(from_ns),
      from_wall_ms_(from_wall_ms),
      stacks_(limits.stacks, limits.frames),
      aggregate_(limits.groups, limits.thread_entries),
      correlator_(aggregate_, from_ns, limits.threads) {}

void WaitEngine::set_process(ProcessKey process, ProcessFacts facts) {
  correlator_.set_process(process);
  if (facts_.size() >= limits_.processes && !facts_.contains(process)) return;
  living_[process.pid] = process;
  facts_[process] = std::move(facts);
}

void WaitEngine::end_process(std::uint32_t pid) {
  // Its threads' last events may come after its end: the correlator keeps the start until the id is given
  // out again.
  living_.erase(pid);
}

RawWindow WaitEngine::take(std::int64_t to_ns, std::int64_t to_wall_ms) {
  RawWindow window;
  window.from_ns = std::exchange(from_ns_, to_ns);
  window.to_ns = to_ns;
  window.from_wall_ms = std::exchange(from_wall_ms_, to_wall_ms);
  window.to_wall_ms = to_wall_ms;

  StackTable next(limits_.stacks, limits_.frames);
  correlator_.cut(to_ns, stacks_, next);
  window.stacks = std::exchange(stacks_, std::move(next));
  aggregate_.take(window);
  take_facts(window);

  const CorrelatorCounts counts = correlator_.counts();
  window.quality.method = method_;
  window.quality.events = counts.events - counted_.events;
  window.quality.lost_events = counts.threads_refused - counted_.threads_refused;
  window.quality.unpaired_waits = counts.blocked_twice - counted_.blocked_twice;
  window.quality.stacks = window.stacks.size();
  window.quality.stacks_lost = window.stacks.refused();
  counted_ = counts;
  return window;
}

void WaitEngine::take_facts(RawWindow& window) {
  const auto add = [&](const ProcessKey& process) {
    const auto found = facts_.find(process);
    if (found != facts_.end()) window.processes.insert(*found);
  };
  for (const RawGroup& group : window.groups) {
    add(group.key.process);
    add(group.key.waker_process);
  }
  for (const ThreadWait& thread : window.threads) add(thread.process);
  std::erase_if(facts_, [&](const auto& entry) {
    const auto living = living_.find(entry.first.pid);
    return living == living_.end() || living->second != entry.first;
  });
}

}  // namespace countertop::contention
