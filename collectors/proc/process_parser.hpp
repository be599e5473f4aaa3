// Parsers for the files of one process: /proc/PID/stat, schedstat and io. Pure: bytes in, numbers out.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace countertop::proc {

/// What is used of /proc/PID/stat (proc_pid_stat(5); fs/proc/array.c, do_task_stat). Times are clock ticks.
struct ProcessStat {
  std::string_view comm;          // points into the parsed text; any bytes, parentheses and newlines included
  char state = '?';               // field 3
  bool kernel_thread = false;     // PF_KTHREAD in field 9
  bool workqueue_worker = false;  // PF_WQ_WORKER in field 9
  std::int64_t minor_faults = 0;  // field 10
  std::int64_t major_faults = 0;  // field 12
  std::int64_t user_ticks = 0;    // field 14, guest time included
  std::int64_t system_ticks = 0;  // field 15
  std::int64_t threads = 0;       // field 20
  std::int64_t start_ticks = 0;   // field 22, since boot, suspended time included
  std::int64_t virtual_bytes = 0;   // field 23
  std::int64_t resident_pages = 0;  // field 24
};

/// nullopt for a row that ends early, holds something else than numbers where numbers belong, overflows, or
/// tells of a start that no machine has been up for.
/// The name ends at the *last* closing parenthesis of the row: nothing after it can hold one.
[[nodiscard]] std::optional<ProcessStat> parse_process_stat(std::string_view text);

/// /proc/PID/schedstat: how often and how long the *first thread* ran
/// (Documentation/scheduler/sched-stats.rst).
struct ProcessSchedule {
  std::int64_t run_ns = 0;
  std::int64_t runs = 0;  // times put on a CPU; 0 on kernels that do not count

  friend bool operator==(const ProcessSchedule&, const ProcessSchedule&) = default;
};
[[nodiscard]] std::optional<ProcessSchedule> parse_process_schedule(std::string_view text);

/// /proc/PID/io: bytes that went to or came from storage.
struct ProcessIo {
  std::int64_t read_bytes = 0;
  std::int64_t write_bytes = 0;
};
/// nullopt unless both lines are there, complete.
[[nodiscard]] std::optional<ProcessIo> parse_process_io(std::string_view text);

/// How many CPUs a list like "0-3,8,10-11" names; nullopt when it is no such list.
[[nodiscard]] std::optional<std::int64_t> count_cpu_list(std::string_view text);

}  // namespace countertop::proc
