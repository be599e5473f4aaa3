// The cheap parts of the machine on one thread: files of /proc that the kernel answers from memory. What can
// hang is elsewhere (filesystem_collector, sensor_collector).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "collectors/core/collector.hpp"
#include "collectors/proc/machine_part.hpp"

namespace countertop::proc {

class MachineCollector final : public Collector {
 public:
  MachineCollector(std::unique_ptr<FileTree> files, std::vector<std::unique_ptr<MachinePart>> parts);

  [[nodiscard]] std::string_view name() const override { return "machine"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override;
  /// A part that fails, or throws, is a problem of the reading and takes nothing away from the others. One
  /// that this machine does not have is asked again every minute, and named as a problem meanwhile.
  [[nodiscard]] Result<Collected> collect(const Clock& clock) override;

 private:
  struct Slot {
    std::unique_ptr<MachinePart> part;
    std::optional<Error> absent;  // why there is no such thing here
    std::uint32_t rest = 0;       // readings to go until it is asked again
  };
  void read_part(Slot& slot, PartReading& reading);

  const std::unique_ptr<FileTree> files_;
  std::vector<Slot> slots_;
};

/// Numbers of this machine that the files do not tell.
struct MachineFacts {
  std::int64_t ticks_per_second = 100;  // USER_HZ
  std::int64_t page_bytes = 4096;
};

/// With every part there is. `foreign_root`: as ProcRoot::is_foreign.
[[nodiscard]] std::unique_ptr<MachineCollector> make_machine_collector(std::unique_ptr<FileTree> files,
                                                                       const MachineFacts& facts,
                                                                       bool foreign_root);

}  // namespace countertop::proc
