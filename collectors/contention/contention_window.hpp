// A window as it is stored and shown: named, classified, by lock.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "collectors/contention/symbols.hpp"
#include "collectors/contention/wait_window.hpp"

namespace countertop::contention {

/// What a wait was for. Only `lock` is contention; the page hides `idle` unless asked.
enum class WaitClass : std::uint8_t { lock, condition, semaphore, join, sleep, io, idle, other };
[[nodiscard]] std::string_view to_string(WaitClass wait_class);

/// What kind of thing was waited for.
enum class LockKind : std::uint8_t {
  unknown,
  mutex,
  read_write_lock,
  condition_variable,
  semaphore,
  thread_join,
  barrier,
  futex,  // a futex whose library function is not known
  critical_section,
  srw_lock,
  kernel_lock,
  none,  // not a lock: sleep, I/O, idle worker
};
[[nodiscard]] std::string_view to_string(LockKind kind);

/// Index into ContentionWindow::frames / stacks / locks.
using FrameIndex = std::uint32_t;
using StackIndex = std::uint32_t;  // 0 = none
using LockIndex = std::uint32_t;

/// A lock inside one process. A global is named by its symbol, a heap lock by the place that takes it.
struct Lock {
  ProcessKey process;
  LockKind kind = LockKind::unknown;
  WaitClass wait_class = WaitClass::other;
  std::uint64_t address =
      0;             // of the lock's start (a condition variable's two words are one lock); 0 = not known
  std::string name;  // "g_queueMutex"; empty for heap locks
  std::string site;  // "depositMoney bank.cpp:41": the innermost frame that is not the lock's library

  friend bool operator==(const Lock&, const Lock&) = default;
};

struct WaitGroup {
  LockIndex lock = 0;
  StackIndex wait_stack = 0;
  ProcessKey waker_process;
  bool woken_by_interrupt = false;
  StackIndex waker_stack = 0;
  WaitTotals totals;
};

struct ContentionWindow {
  std::int64_t from_wall_ms = 0;  // Unix milliseconds, [from, to)
  std::int64_t to_wall_ms = 0;
  std::vector<Frame> frames;                    // each distinct frame once
  std::vector<std::vector<FrameIndex>> stacks;  // innermost first; stacks[0] is empty
  std::vector<Lock> locks;
  std::vector<WaitGroup> groups;
  WaitTotals other;
  std::vector<ThreadWait> threads;
  std::map<ProcessKey, ProcessFacts> processes;
  Quality quality;
};

/// Names, classifies and merges. Pure but for what `symbols` does.
[[nodiscard]] ContentionWindow conclude(const RawWindow& raw, SymbolSource& symbols);

}  // namespace countertop::contention
