#include "collectors/proc/cgroup_collector.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "collectors/proc/process_parser.hpp"
#include "collectors/proc/text_scan.hpp"

namespace countertop::proc {
namespace {

/// Limits, and the group itself, change seldom.
constexpr int kScansPerRefresh = 10;
constexpr std::array<std::string_view, 6> kSeldomRead{"memory.max", "memory.swap.max", "cpu.max",
                                                      "pids.max",   "host memory",     "host cpus"};

}  // namespace

CgroupCollector::CgroupCollector(std::unique_ptr<FileTree> own, std::unique_ptr<FileTree> host)
    : own_(std::move(own)),
      host_(std::move(host)),
      object_(make_cgroup_object()),
      row_(*object_),
      limits_(*object_) {}

Result<Collected> CgroupCollector::collect(const Clock& clock) {
  if (scans_until_refresh_ == 0) {
    if (auto refreshed = refresh(); !refreshed) return tl::unexpected(refreshed.error());
    scans_until_refresh_ = kScansPerRefresh;
  }
  --scans_until_refresh_;

  Snapshot snapshot;
  snapshot.object = object_;
  snapshot.time = read_time_base(clock);
  row_.clear();
  for (const std::string_view field : kSeldomRead) row_.set(field, limits_.get(field));
  read_memory_use();
  read_cpu_use();
  read_pids_use();
  snapshot.instances.push_back({});
  snapshot.values.assign(row_.values().begin(), row_.values().end());

  Collected collected;
  collected.snapshots.push_back(std::move(snapshot));
  return collected;
}

Result<void> CgroupCollector::refresh() {
  const auto membership = own_->read_once(Tree::proc, "self/cgroup");
  if (!membership)
    return fail(ErrorCode::unavailable, "this kernel has no control groups: " + membership.error().message);
  const std::string kept(*membership);
  const auto mountinfo = own_->read_once(Tree::proc, "self/mountinfo");
  if (!mountinfo) return tl::unexpected(mountinfo.error());
  CgroupLayout layout = find_cgroup_layout(kept, *mountinfo);
  if (layout.empty()) return fail(ErrorCode::unavailable, "no control groups are mounted below /sys");
  layout_ = {existing(std::move(layout.memory)), existing(std::move(layout.cpu)),
             existing(std::move(layout.cpuacct)), existing(std::move(layout.pids))};
  read_limits();
  return {};
}

/// A group whose folder is not where its path says (seen through another container's mount): the top stands
/// for it.
CgroupPlace CgroupCollector::existing(CgroupPlace place) {
  if (place.version != CgroupVersion::none && !place.group.empty() &&
      !own_->list(Tree::sys, place.mount + '/' + place.group))
    place.group.clear();
  return place;
}

void CgroupCollector::read_limits() {
  limits_.clear();
  if (layout_.memory.version == CgroupVersion::v2) {
    limits_.set("memory.max", limit_upward(layout_.memory, "memory.max"));
    limits_.set("memory.swap.max", limit_upward(layout_.memory, "memory.swap.max"));
  } else {
    limits_.set("memory.max", limit_upward(layout_.memory, "memory.limit_in_bytes"));
  }
  limits_.set("cpu.max", cpu_limit_upward());
  limits_.set("pids.max", limit_upward(layout_.pids, "pids.max"));

  if (const auto meminfo = host_->read_once(Tree::proc, "meminfo")) {
    parse_key_values(*meminfo, pairs_);
    for (const KeyValue& pair : pairs_)
      if (pair.key == "MemTotal" && pair.value >= 0 && pair.value < INT64_MAX / 1024)
        limits_.set("host memory", pair.value * 1024);
  }
  if (const auto online = host_->read_once(Tree::sys, "devices/system/cpu/online"))
    limits_.set("host cpus", count_cpu_list(*online).value_or(kNoValue));
}

void CgroupCollector::read_memory_use() {
  const CgroupPlace& place = layout_.memory;
  if (place.version == CgroupVersion::none) return;
  const std::string folder = folders_upward(place).front() + '/';
  if (place.version == CgroupVersion::v2) {
    row_.set("memory.current", read_number(folder + "memory.current"));
    row_.set("swap", read_number(folder + "memory.swap.current"));
    fill_from(folder + "memory.stat");
    fill_from(folder + "memory.events");
    return;
  }
  row_.set("memory.current", read_number(folder + "memory.usage_in_bytes"));
  fill_from(folder + "memory.oom_control");
  const auto text = own_->read(Tree::sys, folder + "memory.stat");
  if (!text) return;
  // Version 1 gives each number twice: without and, as total_, with the groups below.
  parse_key_values(*text, pairs_);
  for (const KeyValue& pair : pairs_) {
    if (pair.key == "total_cache") row_.set("file", pair.value);
    if (pair.key == "total_shmem") row_.set("shmem", pair.value);
    if (pair.key == "total_inactive_file") row_.set("inactive_file", pair.value);
    if (pair.key == "total_swap") row_.set("swap", pair.value);
    // Knows the limits of groups above that cannot be seen from here.
    if (pair.key == "hierarchical_memory_limit")
      row_.set("memory.max", stricter_limit(row_.get("memory.max"), limit_or_none(pair.value)));
  }
}

void CgroupCollector::read_cpu_use() {
  if (layout_.cpu.version != CgroupVersion::none) {
    fill_from(folders_upward(layout_.cpu).front() + "/cpu.stat");
    if (layout_.cpu.version == CgroupVersion::v1)
      for (const KeyValue& pair : pairs_)
        if (pair.key == "throttled_time") row_.set("throttled_usec", pair.value / 1000);
  }
  read_cpu_time();
}

void CgroupCollector::read_cpu_time() {
  if (layout_.cpuacct.version != CgroupVersion::v1) return;  // version 2 has it in cpu.stat
  const std::int64_t usage_ns = read_number(folders_upward(layout_.cpuacct).front() + "/cpuacct.usage");
  if (usage_ns != kNoValue) row_.set("usage_usec", usage_ns / 1000);
}

void CgroupCollector::read_pids_use() {
  if (layout_.pids.version == CgroupVersion::none) return;
  row_.set("pids.current", read_number(folders_upward(layout_.pids).front() + "/pids.current"));
}

/// Leaves the pairs of the file in pairs_; none when it is not there.
void CgroupCollector::fill_from(const std::string& path) {
  pairs_.clear();
  const auto text = own_->read(Tree::sys, path);
  if (!text) return;
  parse_key_values(*text, pairs_);
  row_.fill(pairs_);
}

std::int64_t CgroupCollector::read_number(const std::string& path) {
  const auto text = own_->read(Tree::sys, path);
  if (!text) return kNoValue;
  return parse_number(trim(*text)).value_or(kNoValue);
}

/// The strictest limit of the group and those above it.
std::int64_t CgroupCollector::limit_upward(const CgroupPlace& place, std::string_view file) {
  std::int64_t limit = kNoValue;
  if (place.version == CgroupVersion::none) return limit;
  for (const std::string& folder : folders_upward(place)) {
    const auto text = own_->read_once(Tree::sys, folder + '/' + std::string(file));
    if (text) limit = stricter_limit(limit, parse_cgroup_limit(*text).value_or(kNoValue));
  }
  return limit;
}

std::int64_t CgroupCollector::cpu_limit_upward() {
  std::int64_t limit = kNoValue;
  if (layout_.cpu.version == CgroupVersion::none) return limit;
  for (const std::string& folder : folders_upward(layout_.cpu))
    limit = stricter_limit(limit, cpu_limit_in(folder));
  return limit;
}

std::int64_t CgroupCollector::cpu_limit_in(const std::string& folder) {
  if (layout_.cpu.version == CgroupVersion::v2) {
    const auto text = own_->read_once(Tree::sys, folder + "/cpu.max");
    return text ? parse_cpu_max(*text).value_or(kNoValue) : kNoValue;
  }
  const auto quota_text = own_->read_once(Tree::sys, folder + "/cpu.cfs_quota_us");
  if (!quota_text) return kNoValue;
  const std::int64_t quota = parse_number(trim(*quota_text)).value_or(-1);
  const auto period_text = own_->read_once(Tree::sys, folder + "/cpu.cfs_period_us");
  if (!period_text) return kNoValue;
  return cpu_limit_of(quota, parse_number(trim(*period_text)).value_or(0));
}

}  // namespace countertop::proc
