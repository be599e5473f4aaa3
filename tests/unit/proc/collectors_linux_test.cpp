// The real files: a folder on disk as the kernel's trees, and this machine itself.
#include "collectors/proc/collectors_linux.hpp"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "collectors/core/cook.hpp"
#include "collectors/proc/file_tree_linux.hpp"
#include "collectors/proc/filesystem_source_linux.hpp"

using namespace countertop;
using namespace countertop::proc;

namespace {

std::string fixture(const char* name) {
  return std::string(COUNTERTOP_SOURCE_DIR) + "/tests/fixtures/proc/" + name;
}

/// A folder that goes when the test ends.
class TemporaryTree {
 public:
  TemporaryTree() {
    std::string pattern = (std::filesystem::temp_directory_path() / "countertop-tree-XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
    std::filesystem::create_directories(path_ / "proc");
  }
  ~TemporaryTree() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  void write(const char* name, std::string_view text) const {
    std::ofstream(path_ / "proc" / name, std::ios::binary | std::ios::trunc) << text;
  }
  void remove(const char* name) const { std::filesystem::remove(path_ / "proc" / name); }
  [[nodiscard]] ProcRoot root() const { return {(path_ / "proc").string(), (path_ / "sys").string(), ""}; }

 private:
  std::filesystem::path path_;
};

const Snapshot* find(const Collected& collected, std::string_view object) {
  for (const Snapshot& one : collected.snapshots)
    if (one.object->name == object) return &one;
  return nullptr;
}

}  // namespace

TEST_CASE("Every object is sound, and every counter says what it is and where it comes from", "[linux]") {
  const auto collectors = make_linux_collectors({}, {});
  std::set<std::string> objects;
  for (const auto& collector : collectors)
    for (const ObjectHandle& object : collector->objects()) {
      CAPTURE(object->name);
      CHECK(objects.insert(object->name).second);
      CHECK(why_invalid(*object).empty());
      CHECK(object->help.ends_with('.'));
      for (const CounterDefinition& counter : object->counters) {
        CAPTURE(counter.name);
        CHECK(counter.help.ends_with('.'));
        CHECK(counter.help.find("Source: ") != std::string::npos);
        const bool is_rate = counter.name.ends_with("/s");
        CHECK((!is_rate || counter.unit.ends_with("/s")));
        CHECK((!counter.name.ends_with('%') || counter.unit == "%"));
      }
    }
  for (const char* name : {"cpu", "memory", "swap", "disk", "filesystem", "network", "tcp", "udp", "load",
                           "pressure", "system", "vm", "temperature", "power", "cgroup", "process"})
    CHECK(objects.contains(name));
}

TEST_CASE("Kept files show what is written to them later", "[linux]") {
  const TemporaryTree tree;
  tree.write("stat", "one\n");
  LinuxFileTree files(tree.root());
  CHECK(files.read(Tree::proc, "stat").value() == "one\n");
  tree.write("stat", "another, longer\n");
  CHECK(files.read(Tree::proc, "stat").value() == "another, longer\n");
  CHECK(files.read_once(Tree::proc, "stat").value() == "another, longer\n");
}

TEST_CASE("A file larger than the buffer comes whole", "[linux]") {
  const TemporaryTree tree;
  const std::string text(300'000, 'x');
  tree.write("big", text);
  LinuxFileTree files(tree.root());
  CHECK(files.read(Tree::proc, "big").value() == text);
  tree.write("small", "y");
  CHECK(files.read(Tree::proc, "small").value() == "y");
}

TEST_CASE("A file that went and came back is opened anew", "[linux]") {
  const TemporaryTree tree;
  tree.write("dev", "old");
  LinuxFileTree files(tree.root());
  CHECK(files.read(Tree::proc, "dev").value() == "old");
  tree.write("dev", "");  // as a device that is gone: nothing more comes out of the old file
  tree.remove("dev");
  CHECK(files.read(Tree::proc, "dev").error().code == ErrorCode::not_found);
  tree.write("dev", "new");
  CHECK(files.read(Tree::proc, "dev").value() == "new");
}

TEST_CASE("What cannot be read says which file and why", "[linux]") {
  const TemporaryTree tree;
  LinuxFileTree files(tree.root());
  const auto missing = files.read(Tree::proc, "nothing");
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().message.find("/proc/nothing: ") != std::string::npos);
  CHECK(missing.error().os_code != 0);
  CHECK_FALSE(files.list(Tree::sys, "class").has_value());
  CHECK_FALSE(files.link_target(Tree::sys, "class").has_value());
  CHECK_FALSE(files.read(Tree::proc, "").has_value());  // a folder
}

TEST_CASE("The trees below another root are read as the fixture says", "[linux]") {
  const ProcRoot root{fixture("two_cpus") + "/proc", fixture("two_cpus") + "/sys", ""};
  std::set<std::string> objects;
  for (const auto& collector : make_linux_collectors(root)) {
    if (collector->name() != "machine" && collector->name() != "sensors") continue;
    auto collected = collector->collect(system_clock());
    REQUIRE(collected.has_value());
    for (const Snapshot& one : collected->snapshots) objects.insert(one.object->name);
  }
  CHECK(objects == std::set<std::string>{"cpu", "system", "memory", "swap", "vm", "load", "pressure", "disk",
                                         "network", "tcp", "udp", "temperature", "power"});
}

TEST_CASE("Every collector of this machine has its own name and objects of its own", "[linux]") {
  std::set<std::string> names, objects;
  for (const auto& collector : make_linux_collectors({})) {
    CHECK(names.insert(std::string(collector->name())).second);
    for (const ObjectHandle& object : collector->objects()) {
      CHECK(objects.insert(object->name).second);
      CHECK(why_invalid(*object) == "");
    }
  }
  CHECK(names == std::set<std::string>{"machine", "process", "cgroup", "filesystem", "sensors"});
}

TEST_CASE("This machine's own numbers make sense", "[linux][T-L14]") {
  auto collectors = make_linux_collectors({});
  Collector& machine = *collectors.front();
  const auto older = machine.collect(system_clock());
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const auto newer = machine.collect(system_clock());
  REQUIRE(older.has_value());
  REQUIRE(newer.has_value());
  const Snapshot* const before = find(*older, "cpu");
  const Snapshot* const now = find(*newer, "cpu");
  REQUIRE(before != nullptr);
  REQUIRE(now != nullptr);
  REQUIRE(before->instances == now->instances);
  const CounterDefinition& busy = *now->object->find_counter("busy");
  double sum = 0;
  for (std::size_t i = 0; i < now->instances.size(); ++i) {
    const RawSample old_row{before->row(i), before->time}, new_row{now->row(i), now->time};
    const Cooked value = cook(*now->object, busy, &old_row, new_row);
    REQUIRE(value.has_value());
    CHECK(value.value >= 0);
    CHECK(value.value <= 100);
    sum += i == 0 ? -value.value * static_cast<double>(now->instances.size() - 1) : value.value;
  }
  // Half a second is fifty ticks a CPU, so that one tick is two percent.
  CHECK(std::abs(sum) / static_cast<double>(now->instances.size() - 1) < 5);
  const Snapshot* const memory = find(*newer, "memory");
  REQUIRE(memory != nullptr);
  CHECK(cook(*memory->object, *memory->object->find_counter("total"), nullptr, {memory->row(0), memory->time})
            .value > 1e7);
  for (const char* object : {"system", "vm", "load", "network", "tcp", "udp"})
    CHECK(find(*newer, object) != nullptr);
}

TEST_CASE("This machine's root file system has a size", "[linux]") {
  LinuxFilesystemSource source("");
  const auto use = source.use("/");
  REQUIRE(use.has_value());
  CHECK(use->block_bytes > 0);
  CHECK(use->blocks >= use->blocks_free);
  CHECK(source.use("/no/such/place").error().code == ErrorCode::not_found);
}

TEST_CASE("Looking at whose numbers these are does not fail", "[linux]") {
  const HostView view = view_host({});
  CHECK(view.in_container != view.text.empty());
}
