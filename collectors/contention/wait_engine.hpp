// Events in, windows out: what every source that delivers single events has behind it.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "collectors/contention/correlator.hpp"
#include "collectors/contention/event.hpp"
#include "collectors/contention/stack_table.hpp"
#include "collectors/contention/wait_aggregate.hpp"
#include "collectors/contention/wait_window.hpp"

namespace countertop::contention {

/// What the engine may hold at most. With these at most 70 MiB, reached on a machine with a quarter of a
/// million threads that all wait; a usual one takes a few.
struct EngineLimits {
  std::size_t threads = 262'144;
  std::size_t groups = 16'384;
  std::size_t thread_entries = 65'536;
  std::size_t stacks = 65'536;
  std::size_t frames = 1'048'576;
  std::size_t processes = 65'536;
};

/// Not thread-safe.
class WaitEngine {
 public:
  /// The first window starts at the given monotonic and Unix time.
  WaitEngine(Method method, std::int64_t from_ns, std::int64_t from_wall_ms, EngineLimits limits = {});

  WaitEngine(const WaitEngine&) = delete;
  WaitEngine& operator=(const WaitEngine&) = delete;

  /// Tells who uses a process id from now on. Events before it belong to start 0.
  void set_process(ProcessKey process, ProcessFacts facts);
  /// Its facts stay until the window in which it waited is taken.
  void end_process(std::uint32_t pid);

  /// The id holds until the next take().
  StackId intern(std::span<const std::uint64_t> addresses) { return stacks_.intern(addresses); }
  void add(const Event& event) { correlator_.add(event); }

  /// The waits since the previous call, or since the start. The source adds to the quality what it lost.
  [[nodiscard]] RawWindow take(std::int64_t to_ns, std::int64_t to_wall_ms);

 private:
  void take_facts(RawWindow& window);

  Method method_;
  EngineLimits limits_;
  std::int64_t from_ns_;
  std::int64_t from_wall_ms_;
  StackTable stacks_;
  WaitAggregate aggregate_;
  Correlator correlator_;
  CorrelatorCounts counted_;  // up to the previous take()
  std::map<ProcessKey, ProcessFacts> facts_;
  std::map<std::uint32_t, ProcessKey> living_;
};

}  // namespace countertop::contention
