#include "collectors/proc/cpu_part.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "collectors/proc/cpu_object.hpp"
#include "collectors/proc/system_object.hpp"
#include "collectors/proc/text_scan.hpp"

namespace countertop::proc {
namespace {

std::string cpu_name(std::int32_t number) { return number == kAllCpus ? "total" : std::to_string(number); }

class CpuPart final : public MachinePart {
 public:
  CpuPart(std::int64_t ticks_per_second, std::int64_t most_cpus)
      : cpu_(make_cpu_object(ticks_per_second, most_cpus)), system_(make_system_object()) {}

  [[nodiscard]] std::string_view name() const override { return "cpu"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override { return {cpu_, system_}; }

  Result<void> read(PartReading& reading) override {
    const TimeBase time = read_time_base(reading.clock);
    const auto text = reading.files.read(Tree::proc, "stat");
    if (!text) return tl::unexpected(text.error());
    parse_stat(*text, stat_);
    if (stat_.cpus.empty()) return fail(ErrorCode::malformed, "/proc/stat has no cpu line");
    if (stat_.malformed > 0) reading.out.problems.push_back(not_understood("/proc/stat", stat_.malformed));
    add_cpus(time, reading.out);
    add_marks(time, reading.out);
    add_system(time, reading);
    return {};
  }

 private:
  void add_cpus(const TimeBase& time, Collected& out) const {
    Snapshot snapshot = begin_snapshot(cpu_, time);
    snapshot.instances.reserve(stat_.cpus.size());
    snapshot.values.reserve(stat_.cpus.size() * kCpuFieldCount);
    for (const CpuRow& row : stat_.cpus) add_instance(snapshot, cpu_name(row.number), row.ticks);
    out.snapshots.push_back(std::move(snapshot));
  }

  /// CPUs that came or went since the previous reading. A file that was not understood in full says nothing
  /// about that.
  void add_marks(const TimeBase& time, Collected& out) {
    if (stat_.malformed > 0) return;
    now_.clear();
    for (const CpuRow& row : stat_.cpus)
      if (row.number != kAllCpus) now_.push_back(row.number);
    if (!before_.empty()) {
      const auto mark = [&](std::int32_t number, MarkKind kind, std::string_view what) {
        const bool changed = kind == MarkKind::cpu_online ? !std::ranges::binary_search(before_, number)
                                                          : !std::ranges::binary_search(now_, number);
        if (changed)
          out.marks.push_back({time.wall_ms, kind, "CPU " + std::to_string(number) + std::string(what), 0});
      };
      for (const std::int32_t number : before_) mark(number, MarkKind::cpu_offline, " went offline.");
      for (const std::int32_t number : now_) mark(number, MarkKind::cpu_online, " came online.");
    }
    std::swap(before_, now_);
  }

  void add_system(const TimeBase& time, PartReading& reading) const {
    std::array<std::int64_t, kSystemFieldCount> values{};
    values[kContextSwitches] = stat_.context_switches;
    values[kInterrupts] = stat_.interrupts;
    values[kSoftInterrupts] = stat_.soft_interrupts;
    values[kForks] = stat_.forks;
    values[kRunning] = stat_.running;
    values[kBlocked] = stat_.blocked;
    values[kCpusOnline] =
        std::ranges::count_if(stat_.cpus, [](const CpuRow& row) { return row.number != kAllCpus; });
    read_file_handles(reading, values);
    read_uptime(reading, values);
    Snapshot snapshot = begin_snapshot(system_, time);
    add_instance(snapshot, "", values);
    reading.out.snapshots.push_back(std::move(snapshot));
  }

  using SystemValues = std::array<std::int64_t, kSystemFieldCount>;

  /// "625 0 2466160": allocated, free, most.
  static void read_file_handles(PartReading& reading, SystemValues& values) {
    values[kFileHandles] = values[kMostFileHandles] = kNoValue;
    auto text = reading.files.read(Tree::proc, "sys/fs/file-nr");
    if (!text) {
      reading.out.problems.push_back(std::move(text.error()));
      return;
    }
    std::string_view line = trim(*text);
    const auto allocated = take_number(line), free = take_number(line), most = take_number(line);
    if (!allocated || !free || !most || *allocated < 0 || *free < 0) return;
    values[kFileHandles] = *allocated - *free;
    values[kMostFileHandles] = *most;
  }

  static void read_uptime(PartReading& reading, SystemValues& values) {
    values[kUptime] = kNoValue;
    auto text = reading.files.read(Tree::proc, "uptime");
    if (!text) {
      reading.out.problems.push_back(std::move(text.error()));
      return;
    }
    std::string_view line = *text;
    if (const auto hundredths = parse_hundredths(take_word(line))) values[kUptime] = *hundredths / 100;
  }

  const ObjectHandle cpu_;
  const ObjectHandle system_;
  StatFile stat_;
  std::vector<std::int32_t> before_;  // CPUs of the previous reading, ascending
  std::vector<std::int32_t> now_;
};

}  // namespace

std::unique_ptr<MachinePart> make_cpu_part(std::int64_t ticks_per_second, std::int64_t most_cpus) {
  return std::make_unique<CpuPart>(ticks_per_second, most_cpus);
}

std::int64_t read_most_cpus(FileTree& files) {
  constexpr std::int64_t kLargest = 1 << 20;
  std::int64_t most = 1;
  // "0-127" or "0,2,5": the last number is the highest.
  if (const auto possible = files.read_once(Tree::sys, "devices/system/cpu/possible")) {
    const std::string_view list = trim(*possible);
    const std::size_t begin = list.find_last_of(",-");
    const auto last = parse_number(list.substr(begin == std::string_view::npos ? 0 : begin + 1));
    if (last && *last >= 0 && *last < kLargest) most = std::max(most, *last + 1);
  }
  if (const auto text = files.read_once(Tree::proc, "stat")) {
    StatFile stat;
    parse_stat(*text, stat);
    if (!stat.cpus.empty()) most = std::max(most, std::int64_t{stat.cpus.back().number} + 1);
  }
  return most;
}

}  // namespace countertop::proc
