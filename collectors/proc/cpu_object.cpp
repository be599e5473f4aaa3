#include "collectors/proc/cpu_object.hpp"

#include <array>

#include "collectors/proc/object_table.hpp"

namespace countertop::proc {
namespace {

constexpr auto kShare = CounterType::sample_fraction;
constexpr std::string_view kAll = "user + nice + system + idle + iowait + irq + softirq + steal";

constexpr CounterRow kCounters[] = {
    {"busy", "%", kShare, "user + nice + system + irq + softirq + steal", kAll, 1,
     "Share of time in which the CPU was not idle: everything but idle and iowait. Waiting for a disk does "
     "not count as busy, since the CPU is free for others meanwhile; time stolen by the hypervisor does. 100 "
     "% of `cpu(total)` is the whole machine, 100 % of `cpu(0)` that one CPU. Source: /proc/stat, cpu lines: "
     "user + nice + system + irq + softirq + steal over the sum of the first eight columns. The kernel "
     "counts in clock ticks, 10 ms on most machines."},
    {"user", "%", kShare, "user - guest", kAll, 1,
     "Share of time in programs at normal priority, without guests of virtual machines. Source: /proc/stat, "
     "cpu lines, columns user - guest: the kernel's user holds guest, which is taken out once."},
    {"nice", "%", kShare, "nice - guest_nice", kAll, 1,
     "Share of time in programs whose priority was lowered (nice above 0), without guests of virtual "
     "machines. Source: /proc/stat, cpu lines, columns nice - guest_nice."},
    {"system", "%", kShare, "system", kAll, 1,
     "Share of time in the kernel on behalf of programs and kernel threads; interrupts are apart. Source: "
     "/proc/stat, cpu lines, column system."},
    {"idle", "%", kShare, "idle", kAll, 1,
     "Share of time with nothing to do and no disk to wait for. Source: /proc/stat, cpu lines, column idle. "
     "The kernel may take back some ticks of it: a small step back counts as none, a large one as a restart "
     "of the counter."},
    {"iowait", "%", kShare, "iowait", kAll, 1,
     "Share of time with nothing to do while something that last ran on this CPU waited for a disk. It is "
     "idle time: not part of busy. Source: /proc/stat, cpu lines, column iowait. A hint, no measure: it "
     "falls when other work fills the CPU, and the kernel may take it back; a step back counts as none."},
    {"irq", "%", kShare, "irq", kAll, 1,
     "Share of time in hardware interrupts. Source: /proc/stat, cpu lines, column irq. Stays 0 on kernels "
     "that do not time interrupts; then it is part of the others."},
    {"softirq", "%", kShare, "softirq", kAll, 1,
     "Share of time in soft interrupts: network packets, timers, block device completions. Source: "
     "/proc/stat, cpu lines, column softirq."},
    {"steal", "%", kShare, "steal", kAll, 1,
     "Share of time in which this virtual machine wanted to run and the hypervisor gave the CPU to another. "
     "Source: /proc/stat, cpu lines, column steal. Some hypervisors report garbage here: growth beyond what "
     "is possible gives no value."},
    {"guest", "%", kShare, "guest + guest_nice", kAll, 1,
     "Share of time in which this machine ran virtual CPUs of its guests. Source: /proc/stat, cpu lines, "
     "columns guest + guest_nice, which the kernel also counts in user and nice."},
};

/// A step back of idle up to this is the race of two accounts that the kernel adds up; the CPU was busy
/// meanwhile.
constexpr double kIdleStepBackSeconds = 0.2;
/// How much faster than the clock ticks may come in: they are handed in late, in one go, after a pause.
constexpr double kMargin = 2;

}  // namespace

ObjectHandle make_cpu_object(std::int64_t ticks_per_second, std::int64_t most_cpus) {
  const auto tolerance =
      static_cast<std::int64_t>(static_cast<double>(ticks_per_second) * kIdleStepBackSeconds);
  const double fastest = static_cast<double>(ticks_per_second) * static_cast<double>(most_cpus) * kMargin;
  const std::array<FieldRow, kCpuFieldCount> fields = {{
      {"user", Backward::reset, 0, fastest},
      {"nice", Backward::reset, 0, fastest},
      {"system", Backward::reset, 0, fastest},
      {"idle", Backward::floor_small, tolerance, fastest},
      {"iowait", Backward::floor, 0, fastest},
      {"irq", Backward::reset, 0, fastest},
      {"softirq", Backward::reset, 0, fastest},
      {"steal", Backward::reset, 0, fastest},
      {"guest", Backward::reset, 0, fastest},
      {"guest_nice", Backward::reset, 0, fastest},
  }};
  return make_object("cpu",
                     "How the time of the CPUs is spent. `total` is all of them together, 0, 1, ... each CPU "
                     "by the kernel's number; CPUs that are offline leave holes.",
                     Instances::many, fields, kCounters);
}

}  // namespace countertop::proc
