#include "collectors/proc/memory_part.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "collectors/proc/keyed_text.hpp"
#include "collectors/proc/memory_object.hpp"

namespace countertop::proc {
namespace {

class MemoryPart final : public MachinePart {
 public:
  explicit MemoryPart(std::int64_t page_bytes)
      : memory_(make_memory_object()),
        swap_(make_swap_object(page_bytes)),
        vm_(make_vm_object(page_bytes)),
        memory_row_(*memory_),
        swap_row_(*swap_),
        vm_row_(*vm_) {}

  [[nodiscard]] std::string_view name() const override { return "memory"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override { return {memory_, swap_, vm_}; }

  Result<void> read(PartReading& reading) override {
    memory_row_.clear();
    swap_row_.clear();
    vm_row_.clear();
    const TimeBase memory_time = read_time_base(reading.clock);
    auto memory = read_meminfo(reading.files);
    const TimeBase vm_time = read_time_base(reading.clock);
    auto vm = read_vmstat(reading.files);
    if (!memory && !vm) return memory;
    if (!memory) reading.out.problems.push_back(std::move(memory.error()));
    if (!vm) reading.out.problems.push_back(std::move(vm.error()));
    add(memory_, memory_row_, memory_time, reading.out);
    add(swap_, swap_row_, memory_time, reading.out);
    add(vm_, vm_row_, vm_time, reading.out);
    return {};
  }

 private:
  Result<void> read_meminfo(FileTree& files) {
    const auto text = files.read(Tree::proc, "meminfo");
    if (!text) return tl::unexpected(text.error());
    parse_key_values(*text, pairs_);
    memory_row_.fill(pairs_);
    swap_row_.fill(pairs_);
    if (memory_row_.get("MemTotal") == kNoValue)
      return fail(ErrorCode::malformed, "/proc/meminfo has no MemTotal");
    if (memory_row_.get("MemAvailable") == kNoValue) estimate_available();
    return {};
  }

  /// What the kernel calls available since 3.14, roughly. In KiB.
  void estimate_available() {
    constexpr std::array<std::string_view, 4> kParts = {"MemFree", "Buffers", "Cached", "SReclaimable"};
    std::int64_t available = 0;
    for (const std::string_view part : kParts) available += plausible(part);
    available -= plausible("Shmem");
    memory_row_.set("MemAvailable", std::clamp<std::int64_t>(available, 0, plausible("MemTotal")));
  }

  /// 0 where there is none, or where it is no amount of memory.
  [[nodiscard]] std::int64_t plausible(std::string_view field) const {
    constexpr std::int64_t kMost = std::int64_t{1} << 53;
    const std::int64_t value = memory_row_.get(field);
    return value < 0 || value > kMost ? 0 : value;
  }

  Result<void> read_vmstat(FileTree& files) {
    const auto text = files.read(Tree::proc, "vmstat");
    if (!text) return tl::unexpected(text.error());
    parse_key_values(*text, pairs_);
    vm_row_.fill_summing_zones(pairs_);
    swap_row_.fill(pairs_);
    if (vm_row_.get("workingset_refault_file") == kNoValue) fill_old_refaults();
    if (!vm_row_.has_any()) return fail(ErrorCode::malformed, "/proc/vmstat has nothing that is known");
    return {};
  }

  /// One number for both kinds before Linux 5.9.
  void fill_old_refaults() {
    const auto found = std::ranges::find(pairs_, std::string_view("workingset_refault"), &KeyValue::key);
    if (found == pairs_.end()) return;
    vm_row_.set("workingset_refault_file", found->value);
    vm_row_.set("workingset_refault_anon", 0);
  }

  static void add(const ObjectHandle& object, const KeyedRow& row, const TimeBase& time, Collected& out) {
    if (!row.has_any()) return;
    Snapshot snapshot = begin_snapshot(object, time);
    add_instance(snapshot, "", row.values());
    out.snapshots.push_back(std::move(snapshot));
  }

  const ObjectHandle memory_;
  const ObjectHandle swap_;
  const ObjectHandle vm_;
  KeyedRow memory_row_;
  KeyedRow swap_row_;
  KeyedRow vm_row_;
  std::vector<KeyValue> pairs_;
};

}  // namespace

std::unique_ptr<MachinePart> make_memory_part(std::int64_t page_bytes) {
  return std::make_unique<MemoryPart>(page_bytes);
}

}  // namespace countertop::proc
