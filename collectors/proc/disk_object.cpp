#include "collectors/proc/disk_part.hpp"
#include "collectors/proc/object_table.hpp"

namespace countertop::proc {
namespace {

constexpr auto kRate = CounterType::bulk_count;
constexpr auto kSeconds = CounterType::average_timer;
constexpr double kSector = 512;  // always, whatever the device's own sectors are

/// Times are 32-bit milliseconds that wrap after 49 days of the sum. A step that no load explains is garbage:
/// a hundred thousand requests that wait at once.
constexpr double kMostWaiting = 1e8;
/// Elapsed time of the device itself. A request that took long may be counted in one go when it ends.
constexpr double kMostBusy = 1e6;

constexpr FieldRow kFields[] = {
    {"reads"},
    {"reads merged"},
    {"sectors read"},
    {"read ms", Backward::wrap_32bit, 0, kMostWaiting},
    {"writes"},
    {"writes merged"},
    {"sectors written"},
    {"write ms", Backward::wrap_32bit, 0, kMostWaiting},
    {"in flight", Backward::gauge},
    {"busy ms", Backward::wrap_32bit, 0, kMostBusy},
    {"weighted ms", Backward::wrap_32bit, 0, kMostWaiting},
    {"discards"},
    {"discards merged"},
    {"sectors discarded"},
    {"discard ms", Backward::wrap_32bit, 0, kMostWaiting},
    {"flushes"},
    {"flush ms", Backward::wrap_32bit, 0, kMostWaiting},
};

constexpr CounterRow kCounters[] = {
    {"reads/s", "1/s", kRate, "reads", "", 1,
     "Reads that the device completed. Source: /proc/diskstats, field 1."},
    {"writes/s", "1/s", kRate, "writes", "", 1,
     "Writes that the device completed. Source: /proc/diskstats, field 5."},
    {"read bytes/s", "bytes/s", kRate, "sectors read", "", kSector,
     "Bytes read from the device; what the page cache had is not in it. Source: /proc/diskstats, field 3, "
     "sectors of 512 bytes."},
    {"write bytes/s", "bytes/s", kRate, "sectors written", "", kSector,
     "Bytes written to the device. Source: /proc/diskstats, field 7, sectors of 512 bytes."},
    {"seconds per read", "s", kSeconds, "read ms", "reads", kFromMilliseconds,
     "How long a read took on average, waiting in the kernel's queue included. Source: /proc/diskstats, "
     "field 4 over field 1. No value where nothing was read."},
    {"seconds per write", "s", kSeconds, "write ms", "writes", kFromMilliseconds,
     "How long a write took on average, waiting in the kernel's queue included. Source: /proc/diskstats, "
     "field 8 over field 5. No value where nothing was written."},
    {"busy %", "%", CounterType::timer, "busy ms", "", kFromMilliseconds,
     "Share of time with at least one request under way. Source: /proc/diskstats, field 10, in milliseconds. "
     "100 % does not mean that the device is full: solid state disks and arrays work on many requests at "
     "once. May pass 100 % on kernels that count a long request when it ends."},
    {"queue length", "", CounterType::large_queue_length, "weighted ms", "", kFromMilliseconds,
     "Requests waiting or under way, averaged over the interval. Source: /proc/diskstats, field 11, "
     "milliseconds weighted by the number of requests."},
    {"in flight", "", CounterType::large_raw_count, "in flight", "", 1,
     "Requests under way at the moment of reading. Source: /proc/diskstats, field 9."},
    {"bytes per read", "bytes", CounterType::average_bulk, "sectors read", "reads", kSector,
     "Average size of a read. Source: /proc/diskstats, field 3 over field 1."},
    {"bytes per write", "bytes", CounterType::average_bulk, "sectors written", "writes", kSector,
     "Average size of a write. Source: /proc/diskstats, field 7 over field 5."},
    {"reads merged/s", "1/s", kRate, "reads merged", "", 1,
     "Reads joined to one next to them before they went to the device. Source: /proc/diskstats, field 2. "
     "Stays 0 for devices without a scheduler."},
    {"writes merged/s", "1/s", kRate, "writes merged", "", 1,
     "Writes joined to one next to them before they went to the device. Source: /proc/diskstats, field 6."},
    {"discards/s", "1/s", kRate, "discards", "", 1,
     "Times the device was told that blocks are free (trim). Source: /proc/diskstats, field 12 (Linux 4.18 "
     "and later)."},
    {"discard bytes/s", "bytes/s", kRate, "sectors discarded", "", kSector,
     "Bytes the device was told are free. Source: /proc/diskstats, field 14, sectors of 512 bytes (Linux "
     "4.18 and later)."},
    {"seconds per discard", "s", kSeconds, "discard ms", "discards", kFromMilliseconds,
     "How long a discard took on average. Source: /proc/diskstats, field 15 over field 12 (Linux 4.18 and "
     "later)."},
    {"discards merged/s", "1/s", kRate, "discards merged", "", 1,
     "Discards joined to one next to them. Source: /proc/diskstats, field 13 (Linux 4.18 and later)."},
    {"flushes/s", "1/s", kRate, "flushes", "", 1,
     "Times the device was told to make its write cache lasting. Source: /proc/diskstats, field 16 (Linux "
     "5.5 and later). Not counted for partitions."},
    {"seconds per flush", "s", kSeconds, "flush ms", "flushes", kFromMilliseconds,
     "How long a flush took on average. Source: /proc/diskstats, field 17 over field 16 (Linux 5.5 and "
     "later)."},
};

}  // namespace

ObjectHandle make_disk_object() {
  return make_object("disk",
                     "Block devices and their partitions, by the kernel's name. A disk holds the work of its "
                     "partitions; do not add them up. Loop and RAM devices show once they have been used.",
                     Instances::many, kFields, kCounters);
}

}  // namespace countertop::proc
