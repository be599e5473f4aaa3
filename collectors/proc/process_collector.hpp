// The collector "process": every process of the machine as one instance of the object `process`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "collectors/core/collector.hpp"
#include "collectors/proc/proc_root.hpp"
#include "collectors/proc/process_source.hpp"
#include "collectors/proc/process_table.hpp"

namespace countertop::proc {

struct ProcessOptions {
  /// Scans between readings of what nothing asks to be read: the rows of processes that certainly slept, the
  /// disk counters of idle ones, the list of CPUs. Spread evenly over the scans.
  std::uint32_t refresh_scans = 10;
  /// The most descriptors kept open, besides what the system's limit allows. 0: none.
  std::size_t most_descriptors = 8192;
};

class ProcessCollector final : public Collector {
 public:
  ProcessCollector(std::unique_ptr<ProcessSource> source, const ProcessOptions& options);

  [[nodiscard]] std::string_view name() const override { return "process"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override { return {object_}; }
  [[nodiscard]] Result<Collected> collect(const Clock& clock) override;

 private:
  [[nodiscard]] ScanMoment moment_of(const Clock& clock, const TimeBase& time);
  void follow_boot_time(std::int64_t wall_minus_boot_ms);
  void describe_losses(const ScanCounts& counts, std::size_t shown, std::vector<Error>& problems) const;

  std::unique_ptr<ProcessSource> source_;
  const std::uint32_t refresh_scans_;
  ObjectHandle object_;
  ProcessTable table_;
  std::uint32_t scans_until_refresh_ = 0;
  std::int64_t cpus_ = 1;
  std::int64_t boot_unix_s_ = 0;
  std::optional<std::int64_t> wall_minus_boot_ms_;  // when boot_unix_s_ was taken
  std::optional<std::int64_t> previous_boottime_ns_;
  std::vector<Error> blind_spots_;
};

/// Of the machine whose files `root` shows.
[[nodiscard]] std::unique_ptr<Collector> make_process_collector(const ProcRoot& root,
                                                                const ProcessOptions& options = {});

}  // namespace countertop::proc
