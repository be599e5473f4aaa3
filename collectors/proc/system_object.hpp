// The `system` object: what the kernel counts for the machine as a whole.
#pragma once

#include "collectors/core/object.hpp"

namespace countertop::proc {

enum SystemField : std::uint16_t {
  kContextSwitches,
  kInterrupts,
  kSoftInterrupts,
  kForks,
  kRunning,
  kBlocked,
  kFileHandles,
  kMostFileHandles,
  kUptime,
  kCpusOnline,
  kSystemFieldCount,
};

[[nodiscard]] ObjectHandle make_system_object();

}  // namespace countertop::proc
