// What every source of context switches is turned into: one thread stops, is made ready, runs again.
//
// A *blocked* says that a thread left the CPU because it waits (not because its time slice ended), a
// *readied* that somebody made it runnable, a *resumed* that it runs again. The stack of a wait comes with
// its resumed: on Windows the CSwitch stack is the switched-in thread's, on Linux a source that took it at
// the switch-out hands it over there, since a blocked thread's stack does not move.
#pragma once

#include <cstdint>

namespace countertop::contention {

/// Process ids are used again; the start tells two users of one id apart. The start's unit is the source's
/// own (clock ticks since boot on Linux, 100 ns FILETIME on Windows); 0 = not known.
struct ProcessKey {
  std::uint32_t pid = 0;
  std::uint64_t start = 0;

  friend auto operator<=>(const ProcessKey&, const ProcessKey&) = default;
};

/// Index into a StackTable; 0 is "no stack was taken".
using StackId = std::uint32_t;
inline constexpr StackId kNoStack = 0;

/// Why the kernel says that a thread waits. Sources translate (syscall numbers, KWAIT_REASON) in their one
/// table; the classifier decides together with the stack.
enum class KernelReason : std::uint8_t {
  unknown,
  futex,  // Linux futex wait; WaitOnAddress, SRW lock and condition variable on Windows (WrAlertByThreadId)
  keyed_event,       // critical sections of Windows 7
  user_request,      // WaitForSingleObject and its kind
  sleep,             // nanosleep, DelayExecution
  poll,              // epoll_wait, poll, select
  read_write,        // read, write, send, receive, accept, connect: I/O or a pipe
  disk,              // uninterruptible: block I/O or page-in
  queue,             // thread pool or completion port
  process_exit,      // wait4, waitid
  kernel_lock,       // push lock, ERESOURCE, fast mutex; a futex's own hash lock
  message,           // LPC and ALPC, System V messages
  signal,            // pause, sigtimedwait
  system_semaphore,  // semop, semtimedop
  suspended,
};

enum class EventKind : std::uint8_t { blocked, readied, resumed, thread_ended };

/// One event. Plain and small: sources write millions a second. Times are nanoseconds of one monotonic clock.
/// Events of one CPU come in order; across CPUs they may be late by the source's slack, and a readied may
/// carry an earlier time than its blocked.
struct Event {
  std::int64_t time_ns = 0;
  std::uint32_t thread = 0;   // the thread that blocks, is readied, resumes or ends
  std::uint32_t process = 0;  // its process id; 0 = not known here, the correlator remembers
  EventKind kind = EventKind::blocked;
  KernelReason reason = KernelReason::unknown;  // blocked only
  bool by_interrupt =
      false;  // readied only: a timer or interrupt did it; the interrupted thread has no part in it
  std::uint8_t reserved = 0;
  std::uint32_t by_thread = 0;  // readied only: who did it; 0 = not known
  std::uint32_t by_process = 0;
  StackId stack = kNoStack;        // readied: the waker's stack; resumed: the stack of the wait
  std::uint64_t lock_address = 0;  // blocked or resumed: the futex word or object waited for; 0 = not known
};

}  // namespace countertop::contention
