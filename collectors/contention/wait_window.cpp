#include "collectors/contention/wait_window.hpp"

#include <algorithm>

namespace countertop::contention {

std::string_view to_string(Method method) {
  switch (method) {
    case Method::ebpf:
      return "ebpf";
    case Method::perf_event:
      return "perf_event";
    case Method::proc_sampling:
      return "proc_sampling";
    case Method::etw:
      return "etw";
    case Method::etl_file:
      return "etl_file";
  }
  return "unknown";
}

void Quality::merge(const Quality& other) {
  events += other.events;
  lost_events += other.lost_events;
  lost_buffers += other.lost_buffers;
  lost_realtime += other.lost_realtime;
  unpaired_waits += other.unpaired_waits;
  stacks += other.stacks;
  stacks_lost += other.stacks_lost;
  stacks_truncated += other.stacks_truncated;
  sampled_one_in = std::max(sampled_one_in, other.sampled_one_in);
  estimated = estimated || other.estimated;
  tracer_cpu_us += other.tracer_cpu_us;
  if (note.empty()) {
    note = other.note;
  } else if (!other.note.empty() && note.find(other.note) == std::string::npos) {
    note += "; " + other.note;
  }
}

void WaitTotals::merge(const WaitTotals& later) {
  waits += later.waits;
  total_ns += later.total_ns;
  run_queue_ns += later.run_queue_ns;
  max_ns = std::max(max_ns, later.max_ns);
  cut += later.cut;
  histogram.merge(later.histogram);
}

}  // namespace countertop::contention
