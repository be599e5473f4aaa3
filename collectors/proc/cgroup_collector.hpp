// The collector "cgroup": what our own control group may use, what it uses, and beside it what the host has.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/collector.hpp"
#include "collectors/proc/cgroup_layout.hpp"
#include "collectors/proc/file_tree.hpp"
#include "collectors/proc/keyed_text.hpp"
#include "collectors/proc/proc_root.hpp"

namespace countertop::proc {

[[nodiscard]] ObjectHandle make_cgroup_object();

class CgroupCollector final : public Collector {
 public:
  /// `own` is where we see ourselves, `host` the machine that is watched; both may be the same place.
  CgroupCollector(std::unique_ptr<FileTree> own, std::unique_ptr<FileTree> host);

  [[nodiscard]] std::string_view name() const override { return "cgroup"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override { return {object_}; }
  [[nodiscard]] Result<Collected> collect(const Clock& clock) override;

 private:
  [[nodiscard]] Result<void> refresh();
  [[nodiscard]] CgroupPlace existing(CgroupPlace place);
  void read_limits();
  void read_memory_use();
  void read_cpu_use();
  void read_cpu_time();
  void read_pids_use();
  void fill_from(const std::string& path);
  [[nodiscard]] std::int64_t read_number(const std::string& path);
  [[nodiscard]] std::int64_t limit_upward(const CgroupPlace& place, std::string_view file);
  [[nodiscard]] std::int64_t cpu_limit_upward();
  [[nodiscard]] std::int64_t cpu_limit_in(const std::string& folder);

  std::unique_ptr<FileTree> own_, host_;
  ObjectHandle object_;
  KeyedRow row_;
  KeyedRow limits_;  // of the last refresh
  CgroupLayout layout_;
  int scans_until_refresh_ = 0;
  std::vector<KeyValue> pairs_;  // reused
};

/// Our own group is always read from /proc and /sys as we see them; `root` tells what the host has.
[[nodiscard]] std::unique_ptr<Collector> make_cgroup_collector(const ProcRoot& root,
                                                               const ProcRoot& own = {});

}  // namespace countertop::proc
