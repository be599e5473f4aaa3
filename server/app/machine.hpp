// What this machine is called and which of its lives this is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace countertop::app {

struct MachineIdentity {
  std::string host;     // "localhost" where the system gives no name
  std::string boot_id;  // new after each start of the machine; "" where unknown
  std::string zone;     // "Europe/Berlin"; "UTC" where unknown
};
[[nodiscard]] MachineIdentity identify_machine(const std::string& proc_root);

/// "NAME=value" of this process.
[[nodiscard]] std::vector<std::string> environment_variables();

/// What this process took so far.
struct OwnUsage {
  std::int64_t cpu_us = 0;  // user and system
  std::int64_t resident_bytes = 0;
  std::int64_t written_bytes = -1;  // to disk; -1 where the system does not tell
  std::int64_t threads = 0;
  std::int64_t open_files = -1;  // -1 where the system does not tell
};
[[nodiscard]] OwnUsage read_own_usage();

}  // namespace countertop::app
