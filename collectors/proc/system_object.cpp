#include "collectors/proc/system_object.hpp"

#include "collectors/proc/object_table.hpp"

namespace countertop::proc {
namespace {

constexpr auto kRate = CounterType::bulk_count;
constexpr auto kGauge = CounterType::large_raw_count;

constexpr FieldRow kFields[] = {
    {"ctxt"},
    {"intr"},
    {"softirq"},
    {"processes"},
    {"procs_running", Backward::gauge},
    {"procs_blocked", Backward::gauge},
    {"file handles used", Backward::gauge},
    {"file handles max", Backward::gauge},
    {"uptime", Backward::gauge},
    {"cpus online", Backward::gauge},
};

constexpr CounterRow kCounters[] = {
    {"context switches/s", "1/s", kRate, "ctxt", "", 1,
     "How often a CPU turned from one thread to another, all CPUs together. Source: /proc/stat, ctxt."},
    {"interrupts/s", "1/s", kRate, "intr", "", 1,
     "Hardware interrupts, timers and calls between CPUs included. Source: /proc/stat, first number of "
     "intr."},
    {"soft interrupts/s", "1/s", kRate, "softirq", "", 1,
     "Soft interrupts: deferred work of network, timers, block devices. Source: /proc/stat, first number of "
     "softirq (Linux 2.6.31 and later)."},
    {"forks/s", "1/s", kRate, "processes", "", 1,
     "Processes and threads started (fork, clone). Source: /proc/stat, processes."},
    {"running", "", kGauge, "procs_running", "", 1,
     "Threads that run or wait for a CPU at the moment of reading, the one that reads among them. Source: "
     "/proc/stat, procs_running. Of the moment, not an average."},
    {"blocked", "", kGauge, "procs_blocked", "", 1,
     "Threads that wait for a disk (uninterruptible sleep in input or output) at the moment of reading. "
     "Source: /proc/stat, procs_blocked."},
    {"file handles used", "", kGauge, "file handles used", "", 1,
     "Open file descriptions of all processes: files, sockets, pipes. Source: /proc/sys/fs/file-nr, first "
     "number less second."},
    {"file handles max", "", kGauge, "file handles max", "", 1,
     "How many there can be. Source: /proc/sys/fs/file-nr, third number. Newer systems set it beyond any "
     "reach; the limit of each process (ulimit -n) is met first."},
    {"uptime", "s", kGauge, "uptime", "", 1,
     "Whole seconds since the machine started, time asleep included. Source: /proc/uptime, first number."},
    {"cpus online", "", kGauge, "cpus online", "", 1,
     "CPUs that take work. Source: /proc/stat, number of cpu lines. A limit set for a container does not "
     "show here."},
};

}  // namespace

ObjectHandle make_system_object() {
  return make_object("system", "What the kernel counts for the machine as a whole.", Instances::one, kFields,
                     kCounters);
}

}  // namespace countertop::proc
