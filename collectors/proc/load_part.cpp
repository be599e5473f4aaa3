#include "collectors/proc/load_part.hpp"

#include <array>
#include <utility>

#include "collectors/proc/object_table.hpp"
#include "collectors/proc/text_scan.hpp"

namespace countertop::proc {
namespace {

constexpr auto kGauge = CounterType::large_raw_count;

// In the order of the row that LoadPart writes.
constexpr FieldRow kFields[] = {
    {"load 1 min", Backward::gauge}, {"load 5 min", Backward::gauge}, {"load 15 min", Backward::gauge},
    {"runnable", Backward::gauge},   {"threads", Backward::gauge},
};

constexpr CounterRow kCounters[] = {
    {"1 min", "", kGauge, "load 1 min", "", 0.01,
     "Threads that ran, waited for a CPU or waited for a disk, averaged over about a minute, older time "
     "counting less and less. Source: /proc/loadavg, first number. Compare with the number of CPUs; on Linux "
     "disks count too, so that a high load need not mean that CPUs are short."},
    {"5 min", "", kGauge, "load 5 min", "", 0.01,
     "The same over about five minutes. Source: /proc/loadavg, second number."},
    {"15 min", "", kGauge, "load 15 min", "", 0.01,
     "The same over about fifteen minutes. Source: /proc/loadavg, third number."},
    {"runnable", "", kGauge, "runnable", "", 1,
     "Threads that run or wait for a CPU at the moment of reading. Source: /proc/loadavg, fourth number, "
     "before the slash."},
    {"threads", "", kGauge, "threads", "", 1,
     "Threads on the machine, those of the kernel included. Source: /proc/loadavg, fourth number, behind the "
     "slash."},
};

class LoadPart final : public MachinePart {
 public:
  LoadPart()
      : object_(make_object("load", "How many threads want to run.", Instances::one, kFields, kCounters)) {}

  [[nodiscard]] std::string_view name() const override { return "load"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override { return {object_}; }

  Result<void> read(PartReading& reading) override {
    const TimeBase time = read_time_base(reading.clock);
    const auto text = reading.files.read(Tree::proc, "loadavg");
    if (!text) return tl::unexpected(text.error());
    const auto load = parse_load(*text);
    if (!load) return fail(ErrorCode::malformed, "/proc/loadavg is not understood");
    Snapshot snapshot = begin_snapshot(object_, time);
    const std::array<std::int64_t, 5> values = {load->one_minute, load->five_minutes, load->fifteen_minutes,
                                                load->runnable, load->threads};
    add_instance(snapshot, "", values);
    reading.out.snapshots.push_back(std::move(snapshot));
    return {};
  }

 private:
  const ObjectHandle object_;
};

}  // namespace

std::optional<LoadAverages> parse_load(std::string_view text) {
  std::string_view line = take_line(text);
  const auto one = parse_hundredths(take_word(line));
  const auto five = parse_hundredths(take_word(line));
  const auto fifteen = parse_hundredths(take_word(line));
  const std::string_view counts = take_word(line);
  // The process number behind it shows that the counts were not cut short.
  if (!one || !five || !fifteen || take_word(line).empty()) return std::nullopt;
  const std::size_t slash = counts.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto runnable = parse_number(counts.substr(0, slash));
  const auto threads = parse_number(counts.substr(slash + 1));
  if (!runnable || !threads) return std::nullopt;
  return LoadAverages{*one, *five, *fifteen, *runnable, *threads};
}

std::unique_ptr<MachinePart> make_load_part() { return std::make_unique<LoadPart>(); }

}  // namespace countertop::proc
