// A table of processes that is scanned once a second of a clock that a test moves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/proc/process_table.hpp"
#include "tests/support/fake_process_source.hpp"
#include "tests/support/manual_clock.hpp"

namespace countertop::test {

struct ProcessWatch {
  FakeProcessSource source;
  ManualClock clock;
  proc::ProcessTable table{source, 10};
  proc::ScanCounts counts;
  std::optional<std::int64_t> previous_ns;

  /// One second later, but for the first scan.
  Snapshot scan() {
    if (previous_ns)
      clock.advance_ms(*previous_ns + 1'000'000'000 > clock.boottime_ns()
                           ? (*previous_ns + 1'000'000'000 - clock.boottime_ns()) / 1'000'000
                           : 0);
    Snapshot snapshot;
    snapshot.object = object_;
    snapshot.time = read_time_base(clock);
    const auto pids = source.list();
    counts = table.scan(*pids, {clock.boottime_ns(), snapshot.time.perf_time, previous_ns, 1'796'000'000, 4},
                        snapshot);
    previous_ns = clock.boottime_ns();
    return snapshot;
  }

  /// Clock ticks since boot: what a process that starts now has in its row.
  [[nodiscard]] std::int64_t ticks_now() const { return clock.boottime_ns() / 10'000'000; }

  [[nodiscard]] static std::vector<std::string> names(const Snapshot& snapshot) {
    std::vector<std::string> names;
    for (const InstanceName& instance : snapshot.instances) names.push_back(instance.name);
    return names;
  }
  [[nodiscard]] int reads(std::int32_t pid, proc::ProcessFile file) { return source.reads[{pid, file}]; }

 private:
  ObjectHandle object_ = proc::make_process_object({100, 4096});
};

}  // namespace countertop::test
