// /proc/PID/mountinfo (Documentation/filesystems/proc.rst, section 3.5). Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace countertop::proc {

struct Mount {
  std::string device;       // "254:0", major:minor
  std::string root;         // which folder of the file system is mounted: "/" for all of it
  std::string mount_point;  // any bytes but NUL
  std::string type;         // "ext4", "fuse.sshfs"
  std::string source;       // "/dev/vda", "server:/export"
  std::string options;      // of the file system, as it writes them: "rw,hidepid=invisible"

  friend bool operator==(const Mount&, const Mount&) = default;
};

/// In the file's order, in which a mount stands behind those it covers; `out` is emptied first. Gives the
/// number of rows that were left out.
std::size_t parse_mounts(std::string_view text, std::vector<Mount>& out);

/// Why a mount is not asked for its size.
enum class MountKind {
  local,    // asked
  network,  // its answer may take for ever: network file systems, and those that a program answers (FUSE)
  pseudo,   // no storage behind it, or a read-only image that is always full
};
[[nodiscard]] MountKind kind_of(const Mount& mount);

/// One mount for each local file system: the one whose root is mounted rather than a folder of it, then the
/// first. Mounts that a later one covers are left out, and so are the single files that container engines
/// mount.
[[nodiscard]] std::vector<Mount> choose_mounts(const std::vector<Mount>& mounts, bool with_network);

}  // namespace countertop::proc
