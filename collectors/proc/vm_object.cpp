#include <array>

#include "collectors/proc/memory_object.hpp"
#include "collectors/proc/object_table.hpp"

namespace countertop::proc {
namespace {

constexpr auto kRate = CounterType::bulk_count;

constexpr CounterRow kCounters[] = {
    {"page faults/s", "1/s", kRate, "pgfault", "", 1,
     "Page faults, minor and major: a program touched memory that it has no page for yet. Source: "
     "/proc/vmstat, pgfault. Thousands a second are normal where programs start or take memory."},
    {"major faults/s", "1/s", kRate, "pgmajfault", "", 1,
     "Page faults that had to wait for a disk. Source: /proc/vmstat, pgmajfault."},
    {"paged in bytes/s", "bytes/s", kRate, "pgpgin", "", 1024,
     "Bytes read from block devices, for the page cache and otherwise. Source: /proc/vmstat, pgpgin, in KiB "
     "though the name says pages."},
    {"paged out bytes/s", "bytes/s", kRate, "pgpgout", "", 1024,
     "Bytes written to block devices. Source: /proc/vmstat, pgpgout, in KiB though the name says pages."},
    {"swapped in pages/s", "1/s", kRate, "pswpin", "", 1,
     "Pages brought back from swap. Source: /proc/vmstat, pswpin."},
    {"swapped out pages/s", "1/s", kRate, "pswpout", "", 1,
     "Pages written to swap. Source: /proc/vmstat, pswpout."},
    {"background scan pages/s", "1/s", kRate, "pgscan_kswapd", "", 1,
     "Pages that kswapd looked at to find some to take back, since free memory ran low. Source: "
     "/proc/vmstat, pgscan_kswapd; before Linux 4.8 the sum of its zones."},
    {"background reclaim pages/s", "1/s", kRate, "pgsteal_kswapd", "", 1,
     "Pages that kswapd took back. Source: /proc/vmstat, pgsteal_kswapd; before Linux 4.8 the sum of its "
     "zones. Few taken of many looked at means that memory is tight."},
    {"direct scan pages/s", "1/s", kRate, "pgscan_direct", "", 1,
     "Pages that programs had to look at themselves because there was no free memory when they asked. "
     "Source: /proc/vmstat, pgscan_direct; before Linux 4.8 the sum of its zones."},
    {"direct reclaim pages/s", "1/s", kRate, "pgsteal_direct", "", 1,
     "Pages that programs took back themselves; they were held up by it. Source: /proc/vmstat, "
     "pgsteal_direct; before Linux 4.8 the sum of its zones."},
    {"allocation stalls/s", "1/s", kRate, "allocstall", "", 1,
     "Requests for memory that had to wait for reclaim. Source: /proc/vmstat, allocstall; since Linux 4.10 "
     "the sum of its zones."},
    {"oom kills/s", "1/s", kRate, "oom_kill", "", 1,
     "Processes killed because memory ran out. Source: /proc/vmstat, oom_kill (Linux 4.13 and later)."},
    {"compaction stalls/s", "1/s", kRate, "compact_stall", "", 1,
     "Requests for contiguous memory that had to wait while pages were moved together. Source: /proc/vmstat, "
     "compact_stall. No value on kernels built without compaction."},
    {"compaction failures/s", "1/s", kRate, "compact_fail", "", 1,
     "Compactions that brought no block large enough. Source: /proc/vmstat, compact_fail."},
    {"huge page faults/s", "1/s", kRate, "thp_fault_alloc", "", 1,
     "Page faults answered with a huge page. Source: /proc/vmstat, thp_fault_alloc. No value on kernels "
     "built without transparent huge pages."},
    {"huge page fallbacks/s", "1/s", kRate, "thp_fault_fallback", "", 1,
     "Page faults that should have got a huge page and got small ones, as no block was free. Source: "
     "/proc/vmstat, thp_fault_fallback."},
    {"huge page collapses/s", "1/s", kRate, "thp_collapse_alloc", "", 1,
     "Small pages put together into a huge one afterwards. Source: /proc/vmstat, thp_collapse_alloc."},
    {"huge page splits/s", "1/s", kRate, "thp_split_page", "", 1,
     "Huge pages cut into small ones again. Source: /proc/vmstat, thp_split_page (Linux 4.5 and later)."},
    {"refaults/s", "1/s", kRate, "workingset_refault_file + workingset_refault_anon", "", 1,
     "Pages needed again shortly after they had been taken back: memory is too small for the work. Source: "
     "/proc/vmstat, workingset_refault_file + workingset_refault_anon; before Linux 5.9 workingset_refault."},
    {"remote allocations/s", "1/s", kRate, "numa_miss", "", 1,
     "Pages that had to come from another memory node than wanted. Source: /proc/vmstat, numa_miss. No value "
     "on kernels built without NUMA."},
    {"pages migrated/s", "1/s", kRate, "numa_pages_migrated", "", 1,
     "Pages moved nearer to the CPU that uses them. Source: /proc/vmstat, numa_pages_migrated."},
    {"written pages/s", "1/s", kRate, "nr_written", "", 1,
     "Pages of files written to disks. Source: /proc/vmstat, nr_written."},
    {"dirtied pages/s", "1/s", kRate, "nr_dirtied", "", 1,
     "Pages of files changed in memory, to be written later. Source: /proc/vmstat, nr_dirtied."},
};

}  // namespace

ObjectHandle make_vm_object(std::int64_t page_bytes) {
  const std::string help =
      "What the kernel's memory management does: faults, reclaim, compaction, huge pages. A page has " +
      std::to_string(page_bytes) + " bytes on this machine.";
  return make_object("vm", help, Instances::one, {}, kCounters);
}

}  // namespace countertop::proc
