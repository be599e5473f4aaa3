// The reader of /proc, on trees built for the test and on the machine's own.
#include "collectors/proc/process_source_linux.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "collectors/core/clock.hpp"
#include "collectors/proc/process_collector.hpp"
#include "tests/support/fake_process_source.hpp"

using namespace countertop;
using namespace countertop::proc;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "countertop-process-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }
  void remove(const std::string& name) const { fs::remove_all(path_ / name); }
  [[nodiscard]] ProcRoot root() const { return {(path_ / "proc").string(), (path_ / "sys").string(), {}}; }

 private:
  fs::path path_;
};

std::vector<std::string> names(Collector& collector) {
  auto collected = collector.collect(system_clock());
  REQUIRE(collected);
  std::vector<std::string> names;
  for (const InstanceName& instance : collected->snapshots.at(0).instances) names.push_back(instance.name);
  return names;
}

/// A child of our own that sleeps until it is killed.
class Child {
 public:
  Child() : pid_(::fork()) {
    if (pid_ == 0)
      while (true) ::pause();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }
  [[nodiscard]] pid_t pid() const { return pid_; }
  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_;
};

bool has_pid(const std::vector<std::string>& instances, pid_t pid) {
  const std::string part = ":" + std::to_string(pid) + "@";
  return std::ranges::any_of(instances,
                             [&](const std::string& name) { return name.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("Processes of a tree of files are read, whatever else lies there", "[linux]") {
  const Folder folder;
  folder.write("proc/stat", "cpu 1 2 3\nbtime 1796000000\n");
  folder.write("proc/12/stat", test::FakeStat{.comm = "late", .start_ticks = 1200}.text(12));
  folder.write("proc/3/stat", test::FakeStat{.comm = "(a) b", .start_ticks = 300}.text(3));
  folder.write("proc/4/stat", "");          // a row that cannot be understood
  folder.write("proc/5/comm", "no row\n");  // ended
  folder.write("proc/12x/stat", "no process");
  folder.write("proc/99999999999/stat", "no process");
  folder.write("sys/devices/system/cpu/online", "0-2,5\n");
  const auto collector = make_process_collector(folder.root());
  const auto collected = collector->collect(system_clock());
  REQUIRE(collected);
  const Snapshot& snapshot = collected->snapshots.at(0);
  REQUIRE(snapshot.instances.size() == 2);
  CHECK(snapshot.instances[0].name == "(a) b:3@1796000003");
  CHECK(snapshot.instances[1].name == "late:12@1796000012");
  CHECK(snapshot.row(0)[kCpus] == 4);
  REQUIRE(collected->problems.size() == 1);
  CHECK(collected->problems[0].code == ErrorCode::malformed);
}

TEST_CASE("Processes come and go in a tree of files", "[linux]") {
  const Folder folder;
  folder.write("proc/3/stat", test::FakeStat{.comm = "a"}.text(3));
  const auto collector = make_process_collector(folder.root());
  CHECK(names(*collector).size() == 1);
  folder.write("proc/4/stat", test::FakeStat{.comm = "b"}.text(4));
  CHECK(has_pid(names(*collector), 4));
  folder.remove("proc/3");
  CHECK_FALSE(has_pid(names(*collector), 3));
}

TEST_CASE("A number in a tree of files that another process has got is that process", "[linux][T-L08]") {
  const Folder folder;
  folder.write("proc/stat", "btime 1796000000\n");
  folder.write("proc/3/stat", test::FakeStat{.comm = "a", .start_ticks = 300}.text(3));
  const auto collector = make_process_collector(folder.root());
  CHECK(names(*collector) == std::vector<std::string>{"a:3@1796000003"});
  folder.remove("proc/3");
  folder.write("proc/3/stat", test::FakeStat{.comm = "a", .start_ticks = 900}.text(3));
  CHECK(names(*collector) == std::vector<std::string>{"a:3@1796000009"});
}

TEST_CASE("The order of a folder is none", "[linux]") {
  const Folder folder;
  for (int pid = 1; pid <= 40; ++pid)
    folder.write("proc/" + std::to_string(pid * 7919) + "/stat", test::FakeStat{}.text(pid));
  const auto source = make_process_source(folder.root(), 0);
  const auto pids = source->list();
  REQUIRE(pids);
  CHECK(pids->size() == 40);
  CHECK(std::ranges::is_sorted(*pids));
}

TEST_CASE("A /proc that is not there is unavailable and may come later", "[linux]") {
  const Folder folder;
  const auto collector = make_process_collector(folder.root());
  const auto missing = collector->collect(system_clock());
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ErrorCode::unavailable);
  folder.write("proc/3/stat", test::FakeStat{}.text(3));
  CHECK(names(*collector).size() == 1);
}

TEST_CASE("On the machine itself a child is seen when it is there and not after", "[linux]") {
  for (const std::size_t descriptors : {std::size_t{0}, std::size_t{8192}}) {
    CAPTURE(descriptors);
    const auto collector = make_process_collector({}, {.most_descriptors = descriptors});
    CHECK(has_pid(names(*collector), ::getpid()));
    Child child;
    CHECK(has_pid(names(*collector), child.pid()));
    CHECK(has_pid(names(*collector), child.pid()));
    const pid_t pid = child.pid();
    child.end();
    CHECK_FALSE(has_pid(names(*collector), pid));
  }
}

TEST_CASE("A child born between two readings counts from zero", "[linux][T-L09]") {
  const auto collector = make_process_collector({});
  static_cast<void>(names(*collector));
  const Child child;
  const auto collected = collector->collect(system_clock());
  REQUIRE(collected);
  const std::string part = ":" + std::to_string(child.pid()) + "@";
  int found = 0;
  for (const InstanceName& instance : collected->snapshots.at(0).instances) {
    if (instance.name.find(part) == std::string::npos) continue;
    ++found;
    CHECK(instance.counts_from_zero);
  }
  CHECK(found == 1);
}

TEST_CASE("A kept descriptor does not show whoever gets the number later", "[linux][T-L08]") {
  const auto source = make_process_source({}, 100);
  REQUIRE(source->list());
  Child child;
  KeptFiles kept;
  CHECK(source->read(child.pid(), ProcessFile::stat, kept).state == ReadState::ok);
  const pid_t pid = child.pid();
  child.end();
  CHECK(source->read(pid, ProcessFile::stat, kept).state == ReadState::gone);
  CHECK(source->read(pid, ProcessFile::stat, kept).state == ReadState::gone);  // by its path now
  source->release(kept);
}

TEST_CASE("No more descriptors are kept open than allowed, and no more than half of the limit", "[linux]") {
  const auto count_open = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const auto before = count_open();
  {
    const auto collector = make_process_collector({}, {.most_descriptors = 7});
    static_cast<void>(names(*collector));
    static_cast<void>(names(*collector));
    CHECK(count_open() <= before + 7 + 2);  // and the folder and loadavg
    CHECK(count_open() > before + 2);
  }
  CHECK(count_open() == before);

  rlimit old_limit{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &old_limit) == 0);
  const pid_t child = ::fork();
  if (child == 0) {  // limits can be lowered, not raised again
    const rlimit limit{24, 24};
    ::setrlimit(RLIMIT_NOFILE, &limit);
    const auto collector = make_process_collector({});
    const auto first = collector->collect(system_clock());
    const auto second = collector->collect(system_clock());
    const bool whole = first && second && second->snapshots.at(0).instances.size() > 1 &&
                       std::ranges::none_of(second->problems, [](const Error& problem) {
                         return problem.code == ErrorCode::io;
                       });
    ::_exit(whole && count_open() <= before + 1 + 12 + 2 ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
