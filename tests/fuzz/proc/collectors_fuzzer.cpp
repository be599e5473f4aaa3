// Whole collectors on a machine whose files say anything. The input lists files: a line "=proc/stat" begins
// one, and a line "=" lets a second pass, after which the files that follow are written over those before.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "collectors/core/cook.hpp"
#include "collectors/proc/cgroup_collector.hpp"
#include "collectors/proc/filesystem_collector.hpp"
#include "collectors/proc/machine_collector.hpp"
#include "collectors/proc/sensor_collector.hpp"
#include "collectors/proc/text_scan.hpp"
#include "tests/support/fake_proc_root.hpp"
#include "tests/support/manual_clock.hpp"

namespace {

using namespace countertop;

void require(bool holds) {
  if (!holds) std::abort();
}

class FullFilesystems final : public proc::FilesystemSource {
 public:
  Result<proc::FilesystemUse> use(const std::string& mount_point) override {
    const auto size = static_cast<std::int64_t>(mount_point.size());
    return proc::FilesystemUse{std::int64_t{4096} << (size % 40), size, size / 2, size / 3, size, 0};
  }
};

void check(const Snapshot& snapshot) {
  require(snapshot.values.size() == snapshot.instances.size() * snapshot.object->fields.size());
  std::unordered_set<std::string_view> names;
  for (const InstanceName& instance : snapshot.instances) require(names.insert(instance.name).second);
}

void cook_all(const Snapshot* older, const Snapshot& newer) {
  const std::size_t rows = newer.instances.size();
  for (std::size_t row = 0; row < rows; ++row) {
    const RawSample now{newer.row(row), newer.time};
    const bool has_older = older != nullptr && row < older->instances.size();
    const RawSample before{has_older ? older->row(row) : now.values, has_older ? older->time : now.time};
    for (const CounterDefinition& counter : newer.object->counters) {
      const Cooked cooked = cook(*newer.object, counter, has_older ? &before : nullptr, now);
      require(cooked.has_value() != std::isnan(cooked.value));
    }
  }
}

class Machine {
 public:
  Machine() {
    collectors_.push_back(proc::make_machine_collector(files_.tree(), {100, 4096}, false));
    collectors_.push_back(std::make_unique<proc::CgroupCollector>(files_.tree(), files_.tree()));
    collectors_.push_back(std::make_unique<proc::FilesystemCollector>(
        files_.tree(), std::make_unique<FullFilesystems>(), proc::FilesystemOptions{}));
    collectors_.push_back(std::make_unique<proc::SensorCollector>(files_.tree()));
    older_.resize(collectors_.size());
  }

  void write(const std::string& path, std::string text) { files_.write(path, std::move(text)); }

  void tick() {
    clock_.advance_ms(1000);
    for (std::size_t i = 0; i < collectors_.size(); ++i) {
      auto collected = collectors_[i]->collect(clock_);
      if (!collected) {
        require(!collected.error().message.empty());
        continue;
      }
      for (const Snapshot& snapshot : collected->snapshots) {
        check(snapshot);
        const auto same = std::ranges::find(older_[i].snapshots, snapshot.object, &Snapshot::object);
        cook_all(same == older_[i].snapshots.end() ? nullptr : &*same, snapshot);
      }
      older_[i] = std::move(*collected);
    }
  }

 private:
  test::FakeProcRoot files_;
  test::ManualClock clock_;
  std::vector<std::unique_ptr<Collector>> collectors_;
  std::vector<Collected> older_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  Machine machine;
  std::string path, content;
  const auto finish_file = [&] {
    if (!path.empty()) machine.write(path, std::exchange(content, {}));
    path.clear();
  };
  while (!text.empty()) {
    const bool is_whole = text.find('\n') != std::string_view::npos;
    const std::string_view line = proc::take_line(text);
    if (!line.starts_with('=')) {
      content.append(line).append(is_whole ? "\n" : "");
      continue;
    }
    finish_file();
    path = line.substr(1);
    if (path.empty()) machine.tick();
  }
  finish_file();
  machine.tick();
  return 0;
}
