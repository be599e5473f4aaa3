#include "collectors/proc/cgroup_collector.hpp"
#include "collectors/proc/object_table.hpp"

namespace countertop::proc {
namespace {

constexpr auto kGauge = CounterType::large_raw_count;

// Fields are called as version 2 calls them.
constexpr CounterRow kCounters[] = {
    {"memory limit", "bytes", kGauge, "memory.max", "", 1,
     "What the group may use before the kernel kills its processes: the strictest limit of the group and of "
     "the groups above it that can be seen. No value without a limit. Source: memory.max, or "
     "hierarchical_memory_limit of version 1."},
    {"host memory", "bytes", kGauge, "host memory", "", 1,
     "Memory of the whole machine, whatever the group may use of it. Source: /proc/meminfo MemTotal."},
    {"memory charged", "bytes", kGauge, "memory.current", "", 1,
     "Everything that is counted against the limit, the cache of files included, which is dropped when "
     "memory runs short: it may stand close to the limit without harm. Source: memory.current, or "
     "memory.usage_in_bytes."},
    {"memory used", "bytes", kGauge, "memory.current - file + shmem", "", 1,
     "Memory that cannot simply be dropped: what is charged without the cache of files; shared memory "
     "counts. Source: memory.current, memory.stat file and shmem (version 1: usage_in_bytes, total_cache, "
     "total_shmem)."},
    {"memory cache", "bytes", kGauge, "file - shmem", "", 1,
     "Cache of files that is charged to the group. Not counted as used. Source: memory.stat file less shmem "
     "(version 1: total_cache less total_shmem)."},
    {"memory working set", "bytes", kGauge, "memory.current - inactive_file", "", 1,
     "What is charged without the cache that has not been used for a while: the number by which Kubernetes "
     "evicts. Source: memory.current, memory.stat inactive_file (version 1: total_inactive_file)."},
    {"memory of limit", "% of limit", CounterType::large_raw_fraction, "memory.current - file + shmem",
     "memory.max", 1,
     "`memory used` in percent of `memory limit`. No value without a limit. Source: as of these two."},
    {"swap limit", "bytes", kGauge, "memory.swap.max", "", 1,
     "Swap space the group may use. No value without a limit; version 1 has none for swap alone. Source: "
     "memory.swap.max."},
    {"swap used", "bytes", kGauge, "swap", "", 1,
     "Swap space the group uses. Source: memory.swap.current, or total_swap in memory.stat of version 1."},
    {"oom kills", "", CounterType::large_delta, "oom_kill", "", 1,
     "Processes of the group that the kernel killed for lack of memory since the sample before. Source: "
     "memory.events oom_kill, or memory.oom_control of version 1."},
    {"cpu limit", "CPUs", kGauge, "cpu.max", "", 0.001,
     "CPU time the group may use per time, as a number of CPUs: quota over period, the strictest of the "
     "group and of the groups above it that can be seen. No value without a limit. Source: cpu.max, or "
     "cpu.cfs_quota_us and cpu.cfs_period_us."},
    {"host cpus", "CPUs", kGauge, "host cpus", "", 1,
     "CPUs online in the whole machine, whatever the group may use of them. Source: "
     "/sys/devices/system/cpu/online."},
    {"cpu", "% of one CPU", CounterType::timer, "usage_usec", "", kFromMicroseconds,
     "CPU time of the whole group: 100 is one CPU fully used. Source: cpu.stat usage_usec, or "
     "cpuacct.usage."},
    {"cpu of limit", "% of limit", CounterType::multi_timer, "usage_usec", "cpu.max",
     kFromMicroseconds * 1000,
     "`cpu` in percent of `cpu limit`. May exceed 100 for a moment. No value without a limit. Source: as of "
     "these two."},
    {"throttled", "% of one CPU", CounterType::timer, "throttled_usec", "", kFromMicroseconds,
     "Time for which the group wanted to run and was stopped because its quota was used up, added up over "
     "CPUs: may exceed 100. Source: cpu.stat throttled_usec (version 1: throttled_time)."},
    {"throttled periods", "%", CounterType::sample_fraction, "nr_throttled", "nr_periods", 1,
     "Share of the periods of the quota in which the group was stopped. Source: cpu.stat nr_throttled, "
     "nr_periods."},
    {"pids limit", "", kGauge, "pids.max", "", 1,
     "Processes and threads the group may have, the strictest limit upwards. No value without a limit. "
     "Source: pids.max."},
    {"pids", "", kGauge, "pids.current", "", 1, "Processes and threads the group has. Source: pids.current."},
};

}  // namespace

ObjectHandle make_cgroup_object() {
  return make_object("cgroup",
                     "The control group this program runs in - its container, service or session - with what "
                     "it may use (limit), what it uses, and what the host has. On a machine without "
                     "containers the limits mostly have no value.",
                     Instances::one, {}, kCounters);
}

}  // namespace countertop::proc
