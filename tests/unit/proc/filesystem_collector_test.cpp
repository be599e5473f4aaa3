#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "tests/unit/proc/machine_watch.hpp"

using namespace countertop;
using namespace countertop::test;
using Catch::Approx;

namespace {

/// Answers for mount points it knows and notes which were asked.
class FakeFilesystems final : public proc::FilesystemSource {
 public:
  struct State {
    std::map<std::string, proc::FilesystemUse> known;
    std::map<std::string, ErrorCode> refused;
    std::vector<std::string> asked;
  };
  explicit FakeFilesystems(State& state) : state_(state) {}

  [[nodiscard]] Result<proc::FilesystemUse> use(const std::string& mount_point) override {
    state_.asked.push_back(mount_point);
    if (const auto refused = state_.refused.find(mount_point); refused != state_.refused.end())
      return fail(refused->second, mount_point + ": refused");
    const auto found = state_.known.find(mount_point);
    if (found == state_.known.end()) return proc::FilesystemUse{4096, 1000, 500, 400, 100, 90};
    return found->second;
  }

 private:
  State& state_;
};

struct FilesystemWatch {
  explicit FilesystemWatch(std::string_view fixture = "two_cpus", proc::FilesystemOptions options = {})
      : files(fixture),
        watch(std::make_unique<proc::FilesystemCollector>(
            files.tree(), std::make_unique<FakeFilesystems>(state), options)) {}
  FakeProcRoot files;
  FakeFilesystems::State state;
  CollectorWatch watch;
};

}  // namespace

TEST_CASE("A file system's size, use and inodes, as df shows them") {
  FilesystemWatch fs;
  fs.state.known["/"] = {4096, 1'000'000, 300'000, 250'000, 50'000, 20'000};
  REQUIRE(fs.watch.tick());
  CHECK(fs.watch.value("filesystem", "/", "size") == 4096e6);
  CHECK(fs.watch.value("filesystem", "/", "used") == 4096 * 700e3);
  CHECK(fs.watch.value("filesystem", "/", "available") == 4096 * 250e3);
  CHECK(fs.watch.value("filesystem", "/", "used %") == Approx(100 * 700.0 / 950));
  CHECK(fs.watch.value("filesystem", "/", "inodes used") == 30'000);
  CHECK(fs.watch.value("filesystem", "/", "inodes used %") == Approx(60));
}

TEST_CASE("Local file systems show once each, by mount point; the rest is not even asked") {
  FilesystemWatch fs;
  REQUIRE(fs.watch.tick());
  const std::vector<std::string> expected = {"/", "/dev/shm", "/boot/efi", "/srv/big disk"};
  CHECK(fs.watch.instances("filesystem") == expected);
  CHECK(fs.state.asked == expected);
}

TEST_CASE("File systems that may hang are named instead of read") {
  FilesystemWatch fs;
  REQUIRE(fs.watch.tick());
  REQUIRE(fs.watch.tick());  // told in each reading
  CHECK(fs.watch.has_problem("/mnt/nas (nfs4)"));
  CHECK(fs.watch.has_problem("/home/me/phone (fuse.sshfs)"));
  CHECK(fs.watch.has_problem("2 file systems"));

  FilesystemWatch all("two_cpus", {"self/mountinfo", true});
  REQUIRE(all.watch.tick());
  CHECK(all.watch.newest().problems.empty());
  CHECK(std::ranges::count(all.state.asked, "/mnt/nas") == 1);
  CHECK(std::ranges::count(all.state.asked, "/misc") == 0);  // asking an automounter would mount something
}

TEST_CASE("In a container its root and volumes show, not the files that the engine mounts") {
  FilesystemWatch fs("container");
  REQUIRE(fs.watch.tick());
  CHECK(fs.watch.instances("filesystem") == std::vector<std::string>{"/", "/dev", "/data"});
}

TEST_CASE("A mount that covers another is the one that shows") {
  FilesystemWatch fs;
  fs.files.write("proc/self/mountinfo",
                 "1 0 8:1 / /data rw - ext4 /dev/sda1 rw\n2 0 0:9 / /data rw - nfs nas:/x rw\n"
                 "3 0 8:2 / /tmp rw - ext4 /dev/sda2 rw\n4 0 0:7 / /tmp rw - tmpfs tmpfs rw\n");
  REQUIRE(fs.watch.tick());
  CHECK(fs.watch.instances("filesystem") == std::vector<std::string>{"/tmp"});
}

TEST_CASE("A file system that refuses takes no other with it") {
  FilesystemWatch fs;
  fs.state.refused["/boot/efi"] = ErrorCode::permission;
  fs.state.refused["/dev/shm"] = ErrorCode::not_found;
  REQUIRE(fs.watch.tick());
  CHECK(fs.watch.instances("filesystem") == std::vector<std::string>{"/", "/srv/big disk"});
  CHECK(fs.watch.has_problem("/boot/efi"));
  CHECK_FALSE(fs.watch.has_problem("/dev/shm"));  // unmounted meanwhile
}

TEST_CASE("A mount that comes is seen within ten readings") {
  FilesystemWatch fs;
  fs.watch.tick();
  fs.files.write("proc/self/mountinfo",
                 fs.files.text("proc/self/mountinfo") + "90 22 8:17 / /usb rw - vfat /dev/sdb1 rw\n");
  for (int i = 0; i < 10; ++i) fs.watch.tick();
  CHECK(fs.watch.instances("filesystem").back() == "/usb");
  CHECK(fs.files.reads_of("proc/self/mountinfo") == 2);
}

TEST_CASE("File systems without inodes of their own have no value for them, those without size none at all") {
  FilesystemWatch fs;
  fs.state.known["/"] = {4096, 1000, 500, 500, 0, 0};
  fs.state.known["/dev/shm"] = {4096, 0, 0, 0, 0, 0};
  fs.state.known["/boot/efi"] = {
      std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max(), 1, 1, 1, 1};
  REQUIRE(fs.watch.tick());
  CHECK(fs.watch.absence("filesystem", "/", "inodes") == Absence::not_readable);
  CHECK(fs.watch.absence("filesystem", "/dev/shm", "size") == Absence::not_numeric);
  CHECK(fs.watch.value("filesystem", "/boot/efi", "size") > 9e18);
}

TEST_CASE("Mounts: blanks and newlines in names are unescaped, odd bytes made readable") {
  std::vector<proc::Mount> mounts;
  const std::size_t malformed = proc::parse_mounts(
      "1 0 8:1 / /a\\040b\\012c\\134d rw,noatime shared:1 master:2 - ext4 /dev/sda1 rw\n"
      "2 0 8:2 / /\\\\0x\\9 rw - ext4 none rw\n",
      mounts);
  REQUIRE(mounts.size() == 2);
  CHECK(mounts[0].mount_point == "/a b\nc\\d");
  CHECK(mounts[1].mount_point == "/\\\\0x\\9");
  CHECK(malformed == 0);
}

TEST_CASE("Mounts: a source without a name does not shift what follows", "[parse]") {
  std::vector<proc::Mount> mounts;
  REQUIRE(proc::parse_mounts("1 0 0:5 / /m rw - cgroup  rw,cpu,cpuacct\n", mounts) == 0);
  CHECK(mounts[0].type == "cgroup");
  CHECK(mounts[0].source.empty());
  CHECK(mounts[0].options == "rw,cpu,cpuacct");
}

TEST_CASE("Mounts: rows that break the format are counted, never trusted", "[parse]") {
  std::vector<proc::Mount> mounts;
  const std::size_t malformed = proc::parse_mounts(
      "x 0 8:1 / /a rw - ext4 s rw\n1 0 8 / /a rw - ext4 s rw\n1 0 8:1 / a rw - ext4 s rw\n1 0 8:1 / /a rw\n"
      "1 0 8:1 / /a rw -\n1 0 8:1 / /a\\000b rw - ext4 s rw\n1 0 8:1 / /ok rw - ext4 s rw\n1 0 8:1 / /cut rw "
      "- ext4 s",
      mounts);
  REQUIRE(mounts.size() == 1);
  CHECK(mounts[0].mount_point == "/ok");
  CHECK(malformed == 7);
}

TEST_CASE("Mounts that cannot be listed are a failure of the file systems alone") {
  FilesystemWatch fs("cpu_holes");
  CHECK_FALSE(fs.watch.tick());
  CHECK(fs.watch.refusal()->code == ErrorCode::not_found);
}
