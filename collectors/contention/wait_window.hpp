// What a source hands over: the waits of one window, aggregated, before anybody knows a function's name.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "collectors/contention/event.hpp"
#include "collectors/contention/histogram.hpp"
#include "collectors/contention/stack_table.hpp"

namespace countertop::contention {

enum class Method : std::uint8_t { ebpf, perf_event, proc_sampling, etw, etl_file };
[[nodiscard]] std::string_view to_string(Method method);

/// How far a window can be trusted. Losses are never silent.
struct Quality {
  Method method = Method::ebpf;
  std::uint64_t events = 0;            // switches seen, in the kernel or here
  std::uint64_t lost_events = 0;       // not recorded, by the source's own counters
  std::uint64_t lost_buffers = 0;      // ETW: log buffers; else 0
  std::uint64_t lost_realtime = 0;     // ETW: real-time buffers; else 0
  std::uint64_t unpaired_waits = 0;    // whose end was never seen: missing from the sums
  std::uint64_t stacks = 0;            // stacks taken
  std::uint64_t stacks_lost = 0;       // sampled but dropped: ring full, table full
  std::uint64_t stacks_truncated = 0;  // did not reach a thread's start within the bytes captured
  std::uint32_t sampled_one_in = 1;    // stacks: one wait in N; counts and times are exact unless `estimated`
  bool estimated = false;              // times are estimates out of samples: short waits are under-counted
  std::uint64_t tracer_cpu_us = 0;     // CPU time spent by the source for this window
  std::string note;  // one sentence when something was changed: back-off, restart; else empty

  void merge(const Quality& other);
};

struct WaitTotals {
  std::uint64_t waits = 0;
  std::uint64_t total_ns = 0;      // blocked to resumed
  std::uint64_t run_queue_ns = 0;  // of it: readied to resumed, waiting for a CPU
  std::uint64_t max_ns = 0;
  std::uint64_t cut = 0;  // waits still open at an edge of the window, counted up to the edge
  Histogram histogram;

  void merge(const WaitTotals& other);
};

/// Waits with the same process, reason, address and stacks are one group.
struct WaitKey {
  ProcessKey process;
  KernelReason reason = KernelReason::unknown;
  std::uint64_t lock_address = 0;   // in the process's address space; 0 = not known
  StackId wait_stack = kNoStack;    // of RawWindow::stacks
  ProcessKey waker_process;         // pid 0: not known, or an interrupt
  bool woken_by_interrupt = false;  // timer or device
  StackId waker_stack = kNoStack;

  friend auto operator<=>(const WaitKey&, const WaitKey&) = default;
};

/// One thread's waits for one thing, for wait chains and "threads waiting". Bounded by the number of threads
/// that waited.
struct ThreadWait {
  ProcessKey process;
  std::uint32_t thread = 0;
  KernelReason reason = KernelReason::unknown;
  std::uint64_t lock_address = 0;
  StackId wait_stack = kNoStack;  // one with which it waited; tells what for where no address is known
  std::uint32_t by_thread = 0;    // who ended most of this waiting time; 0 = not known
  std::uint64_t waits = 0;
  std::uint64_t total_ns = 0;
};

struct ProcessFacts {
  std::string name;        // short name: comm, image name
  std::string executable;  // full path where known
};

struct RawGroup {
  WaitKey key;
  WaitTotals totals;
};

struct RawWindow {
  std::int64_t from_ns = 0;  // monotonic
  std::int64_t to_ns = 0;
  std::int64_t from_wall_ms = 0;  // Unix milliseconds of from_ns
  std::int64_t to_wall_ms = 0;
  StackTable stacks;
  std::vector<RawGroup> groups;
  WaitTotals other;  // what found no place any more when the cap of groups was reached
  std::vector<ThreadWait> threads;
  std::map<ProcessKey, ProcessFacts> processes;  // each one named in groups
  Quality quality;
};

}  // namespace countertop::contention
