// The object `disk`, from /proc/diskstats.
#pragma once

#include <memory>

#include "collectors/proc/machine_part.hpp"

namespace countertop::proc {

/// Fields in the order of DiskField.
[[nodiscard]] ObjectHandle make_disk_object();

[[nodiscard]] std::unique_ptr<MachinePart> make_disk_part();

}  // namespace countertop::proc
