#include "collectors/proc/mount_parser.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "collectors/proc/text_scan.hpp"

namespace countertop::proc {
namespace {

bool parse_row(std::string_view line, Mount& mount) {
  const auto id = take_number(line), parent = take_number(line);
  mount.device = take_word(line);
  mount.root = decode_octal(take_word(line));
  mount.mount_point = decode_octal(take_word(line));
  std::string_view word = take_word(line);  // mount options, then any number of tags up to a lone "-"
  if (!id || !parent || mount.device.find(':') == std::string::npos || word.empty()) return false;
  if (mount.mount_point.find('\0') != std::string::npos || !mount.mount_point.starts_with('/')) return false;
  do {
    word = take_word(line);
    if (word.empty()) return false;
  } while (word != "-");
  // Single blanks stand between what follows: a source may be empty.
  line = line.substr(std::min<std::size_t>(line.size(), 1));
  mount.type = decode_octal(take_until(line, ' '));
  mount.source = decode_octal(take_until(line, ' '));
  mount.options = line;
  return !mount.type.empty();
}

// File systems that another machine or a program answers for.
constexpr std::array<std::string_view, 27> kNetwork = {
    "9p",    "acfs",     "afs",   "autofs", "beegfs", "ceph", "cifs",  "coda",   "davfs",
    "fuse",  "gfs",      "gfs2",  "gpfs",   "lustre", "ncp",  "ncpfs", "nfs",    "nfs4",
    "ocfs2", "orangefs", "panfs", "prl_fs", "pvfs2",  "smb3", "smbfs", "vboxsf", "virtiofs"};

// Without storage of their own. tmpfs is not among them: what it holds is memory that fills up.
constexpr std::array<std::string_view, 31> kPseudo = {
    "binfmt_misc", "bpf",      "cgroup", "cgroup2", "configfs",  "cramfs",     "debugfs",    "devpts",
    "devtmpfs",    "efivarfs", "erofs",  "fusectl", "hugetlbfs", "iso9660",    "mqueue",     "nsfs",
    "none",        "overlay",  "proc",   "pstore",  "ramfs",     "rpc_pipefs", "securityfs", "selinuxfs",
    "smackfs",     "squashfs", "sysfs",  "tracefs", "udf",       "usbfs",      "rootfs"};

bool is_engine_file(const Mount& mount) {
  constexpr std::array<std::string_view, 4> kFiles = {"/etc/hosts", "/etc/hostname", "/etc/resolv.conf",
                                                      "/run/.containerenv"};
  return mount.root != "/" && std::ranges::find(kFiles, mount.mount_point) != kFiles.end();
}

}  // namespace

std::size_t parse_mounts(std::string_view text, std::vector<Mount>& out) {
  return parse_rows(text, out, parse_row);
}

MountKind kind_of(const Mount& mount) {
  const std::string_view type = mount.type;
  // A container's own root is an overlay, and the one that counts there.
  if (type == "overlay" && mount.mount_point == "/") return MountKind::local;
  if (type.starts_with("fuse.") || type == "fuseblk" || std::ranges::find(kNetwork, type) != kNetwork.end())
    return MountKind::network;
  return std::ranges::find(kPseudo, type) != kPseudo.end() ? MountKind::pseudo : MountKind::local;
}

std::vector<Mount> choose_mounts(const std::vector<Mount>& mounts, bool with_network) {
  std::map<std::string_view, std::size_t> top;  // the last mount on each point is the one that is seen
  for (std::size_t i = 0; i < mounts.size(); ++i) top[mounts[i].mount_point] = i;

  std::vector<Mount> chosen;
  std::map<std::string_view, std::size_t> by_device;  // into chosen
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    const Mount& mount = mounts[i];
    const MountKind kind = kind_of(mount);
    const bool wanted =
        kind == MountKind::local || (with_network && kind == MountKind::network && mount.type != "autofs");
    if (!wanted || top[mount.mount_point] != i || is_engine_file(mount)) continue;
    const auto [known, is_new] = by_device.try_emplace(mount.device, chosen.size());
    if (is_new)
      chosen.push_back(mount);
    else if (mount.root == "/" && chosen[known->second].root != "/")
      chosen[known->second] = mount;
  }
  return chosen;
}

}  // namespace countertop::proc
