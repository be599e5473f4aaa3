// Where the kernel's files are found. Another root than the machine's own serves containers that watch their
// host (/host/proc, /host/sys) and tests.
#pragma once

#include <string>

namespace countertop::proc {

struct ProcRoot {
  std::string proc = "/proc";
  std::string sys = "/sys";
  std::string
      filesystem;  // goes in front of mount points: "/host/root"; empty for the file systems we see ourselves

  /// True when the files describe another view than our own, so that /proc/self and /proc/net are not what is
  /// wanted.
  [[nodiscard]] bool is_foreign() const { return proc != "/proc"; }
};

}  // namespace countertop::proc
