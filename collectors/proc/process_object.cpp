#include "collectors/proc/process_object.hpp"

#include <algorithm>
#include <utility>

namespace countertop::proc {
namespace {

FieldDefinition grows(std::string name) { return {std::move(name), Backward::reset}; }
FieldDefinition moves(std::string name) { return {std::move(name), Backward::gauge}; }

std::vector<FieldDefinition> make_fields() {
  // The kernel scales utime and stime to the exact run time and rounds each: older kernels let one step back
  // a tick.
  std::vector<FieldDefinition> fields(kProcessFieldCount);
  fields[kUserTicks] = {"utime", Backward::floor_small, 2};
  fields[kSystemTicks] = {"stime", Backward::floor_small, 2};
  fields[kMinorFaults] = grows("minflt");
  fields[kMajorFaults] = grows("majflt");
  fields[kThreads] = moves("num_threads");
  fields[kVirtualPages] = moves("vsize pages");
  fields[kResidentPages] = moves("rss pages");
  fields[kReadBytes] = grows("read_bytes");
  fields[kWriteBytes] = grows("write_bytes");
  fields[kCpus] = moves("cpus");
  fields[kStartTime] = moves("start");
  return fields;
}

constexpr const char* kIoPitfall =
    " Needs the rights of the process's owner, or CAP_DAC_READ_SEARCH and CAP_SYS_PTRACE; without them there "
    "is no value. Read in each second in which the process ran (processes of one thread) or used CPU time or "
    "faulted in the last ten seconds (processes of several threads), otherwise every tenth second.";

std::vector<CounterDefinition> cpu_counters(const ProcessUnits& units) {
  const double tick = static_cast<double>(kPerfFrequency) / static_cast<double>(units.ticks_per_second);
  const std::string pitfall =
      " The kernel counts in steps of 10 ms on most systems: over one second the value moves in steps of 1 "
      "%, over longer ranges it is exact.";
  std::vector<CounterDefinition> counters;
  counters.push_back(
      {"cpu",
       "CPU time of all threads of the process, in user and kernel mode, in percent of one CPU: 100 is one "
       "CPU fully used, more than 100 several. Source: /proc/PID/stat fields 14 and 15." +
           pitfall + " Children count for themselves.",
       "% of one CPU",
       CounterType::timer,
       {{kUserTicks}, {kSystemTicks}},
       {},
       tick});
  counters.push_back(
      {"cpu of machine",
       "The same CPU time in percent of everything that the CPUs online can do: 100 is the whole machine. "
       "Source: /proc/PID/stat fields 14 and 15, /sys/devices/system/cpu/online.",
       "% of machine",
       CounterType::multi_timer,
       {{kUserTicks}, {kSystemTicks}},
       {{kCpus}},
       tick});
  counters.push_back({"user",
                      "CPU time in user mode, guests of virtual machines included, in percent of one CPU. "
                      "Source: /proc/PID/stat field 14." +
                          pitfall,
                      "% of one CPU",
                      CounterType::timer,
                      {{kUserTicks}},
                      {},
                      tick});
  counters.push_back(
      {"system",
       "CPU time in kernel mode in percent of one CPU. Source: /proc/PID/stat field 15." + pitfall,
       "% of one CPU",
       CounterType::timer,
       {{kSystemTicks}},
       {},
       tick});
  return counters;
}

void add_memory_counters(const ProcessUnits& units, std::vector<CounterDefinition>& counters) {
  const auto page = static_cast<double>(units.page_bytes);
  counters.push_back(
      {"resident bytes",
       "Resident set size (RSS): memory of the process that is in RAM now, pages shared with other processes "
       "counted in full in each of them, so that the sum over processes exceeds what is used. Not PSS, which "
       "divides shared pages, nor USS, which leaves them out. Source: /proc/PID/stat field 24, the number "
       "that statm shows too. The kernel keeps it in parts per thread or CPU and may show it some hundred kB "
       "too low or too high; only smaps_rollup is exact and is too slow to read each second. For a process "
       "that did not run it is read every tenth second.",
       "bytes",
       CounterType::large_raw_count,
       {{kResidentPages}},
       {},
       page});
  counters.push_back({"virtual bytes",
                      "Address space that is mapped, whether or not it is in use: says little about memory "
                      "used. Source: /proc/PID/stat field 23.",
                      "bytes",
                      CounterType::large_raw_count,
                      {{kVirtualPages}},
                      {},
                      page});
  counters.push_back({"threads",
                      "Threads of the process. Source: /proc/PID/stat field 20.",
                      "",
                      CounterType::large_raw_count,
                      {{kThreads}},
                      {}});
}

void add_rate_counters(std::vector<CounterDefinition>& counters) {
  counters.push_back({"read bytes/s",
                      std::string("Bytes fetched from storage for the process; what the page cache had is "
                                  "not in it. Source: /proc/PID/io read_bytes.") +
                          kIoPitfall,
                      "bytes/s",
                      CounterType::bulk_count,
                      {{kReadBytes}},
                      {}});
  counters.push_back({"write bytes/s",
                      std::string("Bytes the process made dirty in the page cache or sent to storage "
                                  "directly; they count when written to, also if they are deleted before "
                                  "they reach the disk. Source: /proc/PID/io write_bytes.") +
                          kIoPitfall,
                      "bytes/s",
                      CounterType::bulk_count,
                      {{kWriteBytes}},
                      {}});
  counters.push_back(
      {"page faults/s",
       "Page faults, minor (page was in memory) and major together. Source: /proc/PID/stat fields 10 and 12.",
       "1/s",
       CounterType::bulk_count,
       {{kMinorFaults}, {kMajorFaults}},
       {}});
  counters.push_back({"major faults/s",
                      "Page faults that had to wait for storage. Source: /proc/PID/stat field 12.",
                      "1/s",
                      CounterType::bulk_count,
                      {{kMajorFaults}},
                      {}});
  counters.push_back({"age",
                      "Seconds since the process started; time in which the machine slept is left out once "
                      "the process is watched. Source: /proc/PID/stat field 22.",
                      "s",
                      CounterType::elapsed_time,
                      {{kStartTime}},
                      {}});
}

}  // namespace

ObjectHandle make_process_object(const ProcessUnits& units) {
  ObjectDefinition object;
  object.name = "process";
  object.help =
      "Every process of the machine, kernel threads included. An instance is NAME:PID@START: the name the "
      "kernel knows (15 bytes, bytes that are no UTF-8 shown as U+FFFD), the process number, and the start "
      "in Unix seconds, so that a reused number is another instance. A process that takes another name "
      "(exec, prctl) goes on as another instance; the interval in which it did so belongs to neither, unless "
      "it was born in that interval: then all of it belongs to the new name. Kernel workers are named "
      "without the work they do at the moment.";
  object.instanced = true;
  object.grouped = true;
  object.fields = make_fields();
  object.counters = cpu_counters(units);
  add_memory_counters(units, object.counters);
  add_rate_counters(object.counters);
  object.notable =
      NotableRule{5, {{kUserTicks}, {kSystemTicks}}, std::max<std::int64_t>(1, units.ticks_per_second / 10)};
  return std::make_shared<const ObjectDefinition>(std::move(object));
}

}  // namespace countertop::proc
