#include "collectors/proc/memory_object.hpp"

#include <array>

#include "collectors/proc/object_table.hpp"

namespace countertop::proc {
namespace {

constexpr auto kGauge = CounterType::large_raw_count;
constexpr auto kShare = CounterType::large_raw_fraction;
constexpr double kKib = 1024;  // "kB" of /proc/meminfo is 1024 bytes

constexpr CounterRow kMemory[] = {
    {"total", "bytes", kGauge, "MemTotal", "", kKib,
     "Memory the kernel can use: what is built in less firmware and the kernel's own code. Source: "
     "/proc/meminfo, MemTotal. A limit set for a container does not show here; see `cgroup`."},
    {"available", "bytes", kGauge, "MemAvailable", "", kKib,
     "How much programs could still take without swapping: free memory and what the kernel would give back "
     "of its caches. Source: /proc/meminfo, MemAvailable, an estimate of the kernel. Before Linux 3.14 "
     "estimated here as MemFree + Buffers + Cached + SReclaimable - Shmem."},
    {"used", "bytes", kGauge, "MemTotal - MemAvailable", "", kKib,
     "Memory that programs and the kernel could not do without; caches that would be given back do not count "
     "as used. Source: /proc/meminfo, MemTotal - MemAvailable. Other tools show other numbers: total - free "
     "counts every cache as used."},
    {"used %", "%", kShare, "MemTotal - MemAvailable", "MemTotal", 1,
     "`used` in percent of `total`. Source: /proc/meminfo, (MemTotal - MemAvailable) / MemTotal."},
    {"free", "bytes", kGauge, "MemFree", "", kKib,
     "Memory that nothing uses, not even as cache. Source: /proc/meminfo, MemFree. Small on a healthy "
     "machine: look at `available`."},
    {"cached", "bytes", kGauge, "Cached", "", kKib,
     "Contents of files kept in memory, shared memory and tmpfs included. Source: /proc/meminfo, Cached. Its "
     "part that is `shared` cannot be given back."},
    {"buffers", "bytes", kGauge, "Buffers", "", kKib,
     "Cached blocks of block devices and of file systems' own tables. Source: /proc/meminfo, Buffers."},
    {"shared", "bytes", kGauge, "Shmem", "", kKib,
     "Shared memory and files of tmpfs. Source: /proc/meminfo, Shmem (Linux 2.6.32 and later). Part of "
     "`cached`."},
    {"anonymous", "bytes", kGauge, "AnonPages", "", kKib,
     "Memory of programs that belongs to no file: heaps and stacks. Source: /proc/meminfo, AnonPages."},
    {"mapped", "bytes", kGauge, "Mapped", "", kKib,
     "Files that programs have mapped into their memory, libraries among them. Source: /proc/meminfo, "
     "Mapped. Part of `cached`."},
    {"active", "bytes", kGauge, "Active", "", kKib,
     "Memory used a short time ago, taken last when memory runs short. Source: /proc/meminfo, Active."},
    {"inactive", "bytes", kGauge, "Inactive", "", kKib,
     "Memory not used for some time, taken first when memory runs short. Source: /proc/meminfo, Inactive."},
    {"dirty", "bytes", kGauge, "Dirty", "", kKib,
     "Cached contents of files that wait to be written to a disk. Source: /proc/meminfo, Dirty."},
    {"writeback", "bytes", kGauge, "Writeback", "", kKib,
     "Contents of files that are being written to a disk now. Source: /proc/meminfo, Writeback."},
    {"kernel reclaimable", "bytes", kGauge, "SReclaimable", "", kKib,
     "Caches of the kernel (names and inodes of files) that it would give back. Source: /proc/meminfo, "
     "SReclaimable."},
    {"kernel unreclaimable", "bytes", kGauge, "SUnreclaim", "", kKib,
     "Objects of the kernel (slab) that it cannot give back. Source: /proc/meminfo, SUnreclaim. Steady "
     "growth points to a leak in the kernel or a driver."},
    {"kernel stacks", "bytes", kGauge, "KernelStack", "", kKib,
     "Stacks that the kernel keeps for threads. Source: /proc/meminfo, KernelStack."},
    {"page tables", "bytes", kGauge, "PageTables", "", kKib,
     "Tables that map addresses to memory. Source: /proc/meminfo, PageTables."},
    {"unevictable", "bytes", kGauge, "Unevictable", "", kKib,
     "Memory that must stay where it is: locked, or in ramfs. Source: /proc/meminfo, Unevictable."},
    {"huge pages transparent", "bytes", kGauge, "AnonHugePages", "", kKib,
     "Part of `anonymous` that the kernel has put into huge pages by itself. Source: /proc/meminfo, "
     "AnonHugePages."},
    {"huge pages reserved", "bytes", kGauge, "Hugetlb", "", kKib,
     "Memory set aside for huge pages of all sizes, used or not; not available for anything else. Source: "
     "/proc/meminfo, Hugetlb (Linux 4.16 and later)."},
    {"committed", "bytes", kGauge, "Committed_AS", "", kKib,
     "What programs have asked for altogether, touched or not. Source: /proc/meminfo, Committed_AS. May "
     "exceed what the machine has."},
    {"commit limit", "bytes", kGauge, "CommitLimit", "", kKib,
     "How much can be promised. Source: /proc/meminfo, CommitLimit. Kept only where vm.overcommit_memory is "
     "2."},
};

}  // namespace

ObjectHandle make_memory_object() {
  return make_object(
      "memory",
      "Memory of the machine. used + available = total; caches that would be given back count as available.",
      Instances::one, {}, kMemory);
}

ObjectHandle make_swap_object(std::int64_t page_bytes) {
  const auto page = static_cast<double>(page_bytes);
  const std::array counters = {
      CounterRow{
          "total", "bytes", kGauge, "SwapTotal", "", kKib,
          "Size of all swap devices and files. Source: /proc/meminfo, SwapTotal. 0 where there is no swap."},
      CounterRow{
          "used", "bytes", kGauge, "SwapTotal - SwapFree", "", kKib,
          "Swap in use. Source: /proc/meminfo, SwapTotal - SwapFree. Not bad by itself: watch the rates."},
      CounterRow{"free", "bytes", kGauge, "SwapFree", "", kKib,
                 "Source: /proc/meminfo, SwapFree. Swap not in use."},
      CounterRow{"used %", "%", kShare, "SwapTotal - SwapFree", "SwapTotal", 1,
                 "`used` in percent of `total`; no value where there is no swap. Source: /proc/meminfo."},
      CounterRow{"cached", "bytes", kGauge, "SwapCached", "", kKib,
                 "What is in swap and also back in memory, unchanged. Source: /proc/meminfo, SwapCached."},
      CounterRow{"compressed bytes", "bytes", kGauge, "Zswap", "", kKib,
                 "Memory taken by the compressed pool in front of the swap device. Source: /proc/meminfo, "
                 "Zswap (Linux 5.19 and later, where built in)."},
      CounterRow{"compressed contents", "bytes", kGauge, "Zswapped", "", kKib,
                 "How much it holds, before compression. Source: /proc/meminfo, Zswapped."},
      CounterRow{
          "read bytes/s", "bytes/s", CounterType::bulk_count, "pswpin", "", page,
          "Bytes brought back from swap. Source: /proc/vmstat, pswpin, in pages. Programs wait for these."},
      CounterRow{"write bytes/s", "bytes/s", CounterType::bulk_count, "pswpout", "", page,
                 "Bytes written to swap. Source: /proc/vmstat, pswpout, in pages."},
  };
  return make_object("swap", "Swap: disk or compressed memory that stands in for memory.", Instances::one, {},
                     counters);
}

}  // namespace countertop::proc
