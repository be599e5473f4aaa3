#include "collectors/proc/filesystem_collector.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "collectors/proc/instance_names.hpp"
#include "collectors/proc/object_table.hpp"

namespace countertop::proc {
namespace {

constexpr auto kGauge = CounterType::large_raw_count;
constexpr auto kShare = CounterType::large_raw_fraction;

// In the order of the row that row_of makes.
constexpr FieldRow kFields[] = {
    {"size", Backward::gauge},   {"free", Backward::gauge},        {"available", Backward::gauge},
    {"inodes", Backward::gauge}, {"inodes free", Backward::gauge},
};

constexpr CounterRow kCounters[] = {
    {"size", "bytes", kGauge, "size", "", 1,
     "Size of the file system. Source: statvfs, f_blocks * f_frsize. Less than its partition: its own tables "
     "are left out."},
    {"used", "bytes", kGauge, "size - free", "", 1,
     "Bytes in use, as df shows. Source: statvfs, (f_blocks - f_bfree) * f_frsize."},
    {"available", "bytes", kGauge, "available", "", 1,
     "Bytes that programs other than root's can still take. Source: statvfs, f_bavail * f_frsize. used + "
     "available is less than size where blocks are reserved for root."},
    {"free", "bytes", kGauge, "free", "", 1,
     "Bytes not in use, those reserved for root included. Source: statvfs, f_bfree * f_frsize."},
    {"used %", "%", kShare, "size - free", "size - free + available", 1,
     "used / (used + available), as df shows: at 100 % programs other than root's can write no more. Source: "
     "statvfs."},
    {"inodes", "", kGauge, "inodes", "", 1,
     "How many files and folders there can be. Source: statvfs, f_files. No value for file systems that make "
     "inodes as needed (btrfs)."},
    {"inodes used", "", kGauge, "inodes - inodes free", "", 1,
     "Files and folders. Source: statvfs, f_files - f_ffree."},
    {"inodes used %", "%", kShare, "inodes - inodes free", "inodes", 1,
     "Inodes in use: at 100 % no file can be made, however much room is left. Source: statvfs."},
};

/// Readings between two looks at the list of mounts.
constexpr std::uint32_t kRefreshEvery = 10;

/// A file system that says more than fits is taken for as large as can be said.
std::int64_t multiply(std::int64_t blocks, std::int64_t bytes) {
  if (blocks <= 0 || bytes <= 0) return 0;
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  return blocks > kMax / bytes ? kMax : blocks * bytes;
}

std::array<std::int64_t, std::size(kFields)> row_of(const FilesystemUse& use) {
  const bool counts_inodes = use.inodes > 0;
  return {multiply(use.blocks, use.block_bytes), multiply(use.blocks_free, use.block_bytes),
          multiply(use.blocks_available, use.block_bytes), counts_inodes ? use.inodes : kNoValue,
          counts_inodes ? use.inodes_free : kNoValue};
}

/// What is not read, and why: one sentence for all of them.
std::optional<Error> note_skipped(const std::vector<Mount>& mounts) {
  constexpr std::size_t kNamed = 5;
  std::size_t count = 0;
  std::string named;
  for (const Mount& mount : mounts) {
    if (kind_of(mount) != MountKind::network || mount.type == "autofs") continue;
    if (++count <= kNamed)
      named += (named.empty() ? "" : ", ") + readable_name(mount.mount_point) + " (" + mount.type + ")";
  }
  if (count == 0) return std::nullopt;
  if (count > kNamed) named += ", ...";
  return Error{
      ErrorCode::unavailable,
      std::to_string(count) +
          " file systems answered for by another machine or a program are not read, since that may hang: " +
          named,
      {},
      0};
}

}  // namespace

ObjectHandle make_filesystem_object() {
  return make_object(
      "filesystem",
      "Mounted file systems with storage or memory behind them, by mount point; one that is mounted several "
      "times shows once. Network and FUSE file systems are left out, as reading them may hang.",
      Instances::many, kFields, kCounters);
}

FilesystemCollector::FilesystemCollector(std::unique_ptr<FileTree> files,
                                         std::unique_ptr<FilesystemSource> source, FilesystemOptions options)
    : object_(make_filesystem_object()),
      files_(std::move(files)),
      source_(std::move(source)),
      options_(std::move(options)) {}

Result<void> FilesystemCollector::refresh_mounts() {
  const auto text = files_->read(Tree::proc, options_.mounts);
  if (!text) return tl::unexpected(text.error());
  std::vector<Mount> all;
  const std::size_t malformed = parse_mounts(*text, all);
  mounts_ = choose_mounts(all, options_.with_network);
  notes_.clear();
  if (malformed > 0) notes_.push_back(not_understood("/proc/" + options_.mounts, malformed));
  if (!options_.with_network)
    if (auto note = note_skipped(all)) notes_.push_back(std::move(*note));
  until_refresh_ = kRefreshEvery;
  return {};
}

Result<Collected> FilesystemCollector::collect(const Clock& clock) {
  if (until_refresh_ == 0) {
    if (auto refreshed = refresh_mounts(); !refreshed) return tl::unexpected(std::move(refreshed.error()));
  }
  --until_refresh_;

  Collected out;
  out.problems = notes_;
  Snapshot snapshot;
  snapshot.object = object_;
  snapshot.time = read_time_base(clock);
  for (const Mount& mount : mounts_) {
    auto use = source_->use(mount.mount_point);
    if (!use) {
      until_refresh_ = 0;  // it may have been unmounted
      if (use.error().code != ErrorCode::not_found) out.problems.push_back(std::move(use.error()));
      continue;
    }
    if (use->blocks <= 0) continue;  // nothing that could fill up
    const auto row = row_of(*use);
    snapshot.instances.push_back({readable_name(mount.mount_point), false});
    snapshot.values.insert(snapshot.values.end(), row.begin(), row.end());
  }
  make_unique(snapshot.instances);
  out.snapshots.push_back(std::move(snapshot));
  return out;
}

}  // namespace countertop::proc
