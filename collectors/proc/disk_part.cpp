#include "collectors/proc/disk_part.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "collectors/proc/disk_parser.hpp"
#include "collectors/proc/instance_names.hpp"

namespace countertop::proc {
namespace {

/// Kernels make loop and RAM devices ahead of any use.
bool is_spare(const DiskRow& row) {
  if (!row.name.starts_with("loop") && !row.name.starts_with("ram")) return false;
  return std::ranges::all_of(row.values, [](std::int64_t value) { return value == 0 || value == kNoValue; });
}

class DiskPart final : public MachinePart {
 public:
  DiskPart() : object_(make_disk_object()) {}

  [[nodiscard]] std::string_view name() const override { return "disk"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override { return {object_}; }

  Result<void> read(PartReading& reading) override {
    Snapshot snapshot = begin_snapshot(object_, read_time_base(reading.clock));
    const auto text = reading.files.read(Tree::proc, "diskstats");
    if (!text) return tl::unexpected(text.error());
    const std::size_t malformed = parse_disks(*text, rows_);
    if (malformed > 0) reading.out.problems.push_back(not_understood("/proc/diskstats", malformed));
    for (const DiskRow& row : rows_)
      if (!is_spare(row)) add_instance(snapshot, readable_name(row.name), row.values);
    make_unique(snapshot.instances);
    reading.out.snapshots.push_back(std::move(snapshot));
    return {};
  }

 private:
  const ObjectHandle object_;
  std::vector<DiskRow> rows_;
};

}  // namespace

std::unique_ptr<MachinePart> make_disk_part() { return std::make_unique<DiskPart>(); }

}  // namespace countertop::proc
