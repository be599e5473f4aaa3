#include "collectors/proc/pressure_part.hpp"

#include <array>
#include <string>
#include <utility>

#include "collectors/proc/object_table.hpp"
#include "collectors/proc/text_scan.hpp"

namespace countertop::proc {
namespace {

constexpr FieldRow kFields[] = {
    {"some total"}, {"full total"}, {"some avg10", Backward::gauge}, {"full avg10", Backward::gauge}};

constexpr CounterRow kCounters[] = {
    {"some", "%", CounterType::timer, "some total", "", kFromMicroseconds,
     "Share of time in which at least one thread was held up for lack of this resource. Source: "
     "/proc/pressure, line some, total in microseconds: exact over any range. No value for irq, which has no "
     "such line."},
    {"full", "%", CounterType::timer, "full total", "", kFromMicroseconds,
     "Share of time in which every thread that had work was held up at once, so that nothing got done. "
     "Source: /proc/pressure, line full, total in microseconds. For cpu it is 0 by definition on a whole "
     "machine, and has no value before Linux 5.13."},
    {"some avg10", "%", CounterType::large_raw_count, "some avg10", "", 0.01,
     "The kernel's own average of `some` over about ten seconds. Source: /proc/pressure, line some, avg10. "
     "It lags: `some` shows the second itself."},
    {"full avg10", "%", CounterType::large_raw_count, "full avg10", "", 0.01,
     "The kernel's own average of `full` over about ten seconds. Source: /proc/pressure, line full, avg10."},
};

constexpr std::array<std::string_view, 4> kResources = {"cpu", "memory", "io", "irq"};

/// A line of the file behind its first word.
std::optional<PressureLine> parse_line(std::string_view rest) {
  PressureLine line;
  while (true) {
    const std::string_view word = take_word(rest);
    if (word.empty()) break;
    if (word.starts_with("avg10=")) line.average_10s = parse_hundredths(word.substr(6)).value_or(kNoValue);
    if (word.starts_with("total=")) line.total_us = parse_number(word.substr(6)).value_or(kNoValue);
  }
  if (line.total_us == kNoValue) return std::nullopt;
  return line;
}

class PressurePart final : public MachinePart {
 public:
  PressurePart()
      : object_(make_object("pressure",
                            "How much time was lost because CPUs, memory or disks were short (pressure stall "
                            "information). Instances: cpu, memory, io, and irq where the kernel has it.",
                            Instances::many, kFields, kCounters)) {}

  [[nodiscard]] std::string_view name() const override { return "pressure"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override { return {object_}; }

  Result<void> read(PartReading& reading) override {
    Snapshot snapshot = begin_snapshot(object_, read_time_base(reading.clock));
    std::optional<Error> refusal;
    for (const std::string_view resource : kResources) {
      if (resource == "irq" && !has_irq_) continue;
      const auto text = reading.files.read(Tree::proc, "pressure/" + std::string(resource));
      if (!text) {
        if (resource == "irq")  // Linux 6.1 and later, where interrupts are timed
          has_irq_ = text.error().code != ErrorCode::not_found;
        else if (!refusal)
          refusal = text.error();
        continue;
      }
      add(resource, parse_pressure(*text), snapshot);
    }
    if (snapshot.instances.empty()) return explain(std::move(refusal));
    if (refusal) reading.out.problems.push_back(std::move(*refusal));
    reading.out.snapshots.push_back(std::move(snapshot));
    return {};
  }

 private:
  static void add(std::string_view resource, const PressureFile& file, Snapshot& snapshot) {
    if (!file.some && !file.full) return;
    const PressureLine some = file.some.value_or(PressureLine{}), full = file.full.value_or(PressureLine{});
    const std::array<std::int64_t, 4> values = {some.total_us, full.total_us, some.average_10s,
                                                full.average_10s};
    add_instance(snapshot, std::string(resource), values);
  }

  [[nodiscard]] static Result<void> explain(std::optional<Error> refusal) {
    if (!refusal) return fail(ErrorCode::malformed, "/proc/pressure is not understood");
    if (refusal->code == ErrorCode::not_found)
      return fail(ErrorCode::unavailable,
                  "this kernel has no pressure stall information (/proc/pressure): it is older than 4.20, or "
                  "built without CONFIG_PSI, or started without psi=1");
    if (refusal->code == ErrorCode::unavailable)
      return fail(ErrorCode::unavailable, "pressure stall information is switched off in this kernel",
                  "add psi=1 to the kernel's command line and start the machine anew", refusal->os_code);
    return tl::unexpected(std::move(*refusal));
  }

  const ObjectHandle object_;
  bool has_irq_ = true;
};

}  // namespace

PressureFile parse_pressure(std::string_view text) {
  PressureFile file;
  while (auto line = take_whole_line(text)) {
    const std::string_view kind = take_word(*line);
    if (kind == "some") file.some = parse_line(*line);
    if (kind == "full") file.full = parse_line(*line);
  }
  return file;
}

std::unique_ptr<MachinePart> make_pressure_part() { return std::make_unique<PressurePart>(); }

}  // namespace countertop::proc
