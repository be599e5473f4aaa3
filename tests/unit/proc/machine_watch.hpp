// Plays a machine second by second through a collector and cooks what comes out.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/core/cook.hpp"
#include "collectors/proc/filesystem_collector.hpp"
#include "collectors/proc/machine_collector.hpp"
#include "tests/support/fake_proc_root.hpp"
#include "tests/support/manual_clock.hpp"

namespace countertop::test {

/// A reading of any collector and the one before it.
class CollectorWatch {
 public:
  explicit CollectorWatch(std::unique_ptr<Collector> collector) : collector_(std::move(collector)) {}

  /// Lets time pass and reads. False when the whole reading failed.
  bool tick(std::int64_t ms = 1000) {
    clock_.advance_ms(ms);
    auto collected = collector_->collect(clock_);
    if (!collected) {
      refusal_ = collected.error();
      return false;
    }
    refusal_.reset();
    older_ = std::move(newer_);
    newer_ = std::move(*collected);
    return true;
  }

  [[nodiscard]] const Collected& newest() const { return newer_; }
  [[nodiscard]] const std::optional<Error>& refusal() const { return refusal_; }
  [[nodiscard]] ManualClock& clock() { return clock_; }
  [[nodiscard]] Collector& collector() { return *collector_; }

  [[nodiscard]] const Snapshot* snapshot(std::string_view object) const { return find(newer_, object); }
  [[nodiscard]] std::vector<std::string> instances(std::string_view object) const {
    std::vector<std::string> names;
    if (const Snapshot* found = snapshot(object))
      for (const InstanceName& one : found->instances) names.push_back(one.name);
    return names;
  }

  /// Absence::not_numeric also for an object, instance or counter that is not there.
  [[nodiscard]] Cooked cooked(std::string_view object, std::string_view instance,
                              std::string_view counter) const {
    const Snapshot* const now = snapshot(object);
    if (now == nullptr) return {0, Absence::not_numeric};
    const CounterDefinition* const definition = now->object->find_counter(counter);
    const auto row = row_of(now, instance);
    if (definition == nullptr || !row) return {0, Absence::not_numeric};
    const Snapshot* const before = find(older_, object);
    const auto older_row = before == nullptr ? std::nullopt : row_of(before, instance);
    const RawSample newer{now->row(*row), now->time};
    if (!older_row) return cook(*now->object, *definition, nullptr, newer);
    const RawSample older{before->row(*older_row), before->time};
    return cook(*now->object, *definition, &older, newer);
  }
  /// NaN-free for tests: -1 stands for "no value".
  [[nodiscard]] double value(std::string_view object, std::string_view instance,
                             std::string_view counter) const {
    const Cooked result = cooked(object, instance, counter);
    return result.has_value() ? result.value : -1;
  }
  [[nodiscard]] Absence absence(std::string_view object, std::string_view instance,
                                std::string_view counter) const {
    return cooked(object, instance, counter).absence;
  }

  [[nodiscard]] bool has_problem(std::string_view part) const {
    return std::ranges::any_of(
        newer_.problems, [&](const Error& error) { return error.message.find(part) != std::string::npos; });
  }

 private:
  static const Snapshot* find(const Collected& collected, std::string_view object) {
    for (const Snapshot& one : collected.snapshots)
      if (one.object->name == object) return &one;
    return nullptr;
  }
  static std::optional<std::size_t> row_of(const Snapshot* snapshot, std::string_view instance) {
    for (std::size_t i = 0; i < snapshot->instances.size(); ++i)
      if (snapshot->instances[i].name == instance) return i;
    return std::nullopt;
  }

  std::unique_ptr<Collector> collector_;
  ManualClock clock_;
  Collected older_, newer_;
  std::optional<Error> refusal_;
};

/// The machine collector over a fixture; `files` may be changed between ticks.
class MachineWatch : public CollectorWatch {
 public:
  explicit MachineWatch(FakeProcRoot& files, bool foreign_root = false)
      : CollectorWatch(proc::make_machine_collector(files.tree(), {100, 4096}, foreign_root)) {}
};

/// `text` with the first `from` replaced; a test that asks for what is not there is wrong.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace countertop::test
