// Processes whose files say anything, from scan to scan. The input is a row of steps: a byte with the process
// and the file, a byte with the length, and the file's new content; file 3 lets a second pass, and a length
// of 0 ends the process.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "collectors/core/cook.hpp"
#include "collectors/proc/process_collector.hpp"
#include "tests/support/manual_clock.hpp"

namespace {

using namespace countertop;
using proc::FileRead;
using proc::ProcessFile;
using proc::ReadState;

using Contents = std::map<std::int32_t, std::map<ProcessFile, std::string>>;

/// Borrows the contents, which may change between scans.
class ScriptedSource final : public proc::ProcessSource {
 public:
  explicit ScriptedSource(const Contents& contents) : contents_(contents) {}

  Result<std::span<const std::int32_t>> list() override {
    pids_.clear();
    for (const auto& [pid, files] : contents_) pids_.push_back(pid);
    return std::span<const std::int32_t>(pids_);
  }
  FileRead read(std::int32_t pid, ProcessFile file, proc::KeptFiles&) override {
    const auto process = contents_.find(pid);
    if (process == contents_.end()) return {ReadState::gone, {}};
    const auto found = process->second.find(file);
    if (found == process->second.end()) return {ReadState::refused, {}};
    return {ReadState::ok, found->second};
  }
  void release(proc::KeptFiles&) override {}
  [[nodiscard]] proc::ProcessUnits units() const override { return {100, 4096}; }
  std::optional<std::int64_t> boot_unix_s() override { return 1'796'000'000; }
  std::int64_t online_cpus() override { return 2; }
  std::vector<Error> blind_spots() override { return {}; }

 private:
  const Contents& contents_;
  std::vector<std::int32_t> pids_;
};

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const Snapshot& snapshot) {
  require(snapshot.values.size() == snapshot.instances.size() * snapshot.object->fields.size());
  std::unordered_set<std::string_view> names;
  for (std::size_t row = 0; row < snapshot.instances.size(); ++row) {
    require(names.insert(snapshot.instances[row].name).second);
    const RawSample now{snapshot.row(row), snapshot.time};
    for (const CounterDefinition& counter : snapshot.object->counters) {
      const Cooked cooked = cook(*snapshot.object, counter, nullptr, now);
      require(cooked.has_value() != std::isnan(cooked.value));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Contents contents;
  test::ManualClock clock;
  proc::ProcessCollector collector(std::make_unique<ScriptedSource>(contents), {});
  const auto scan = [&] {
    clock.advance_ms(1000);
    const auto collected = collector.collect(clock);
    require(collected.has_value() && collected->snapshots.size() == 1);
    require(collected->snapshots[0].instances.size() <= contents.size());
    check(collected->snapshots[0]);
  };
  while (size >= 2) {
    const std::int32_t pid = data[0] % 8 + 1;
    const unsigned file = data[0] / 8 % 4;
    const std::size_t length = std::min<std::size_t>(data[1], size - 2);
    if (file == proc::kProcessFileCount) {
      scan();
    } else if (length == 0) {
      contents.erase(pid);
    } else {
      contents[pid][static_cast<ProcessFile>(file)].assign(reinterpret_cast<const char*>(data) + 2, length);
    }
    const std::size_t used = file == proc::kProcessFileCount ? 1 : 2 + length;
    data += used;
    size -= used;
  }
  scan();
  return 0;
}
