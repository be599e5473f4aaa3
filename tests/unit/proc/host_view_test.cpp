#include "collectors/proc/host_view.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/fake_proc_root.hpp"

using namespace countertop;
using namespace countertop::proc;
using countertop::test::FakeProcRoot;

namespace {

constexpr const char* kPlainMounts = "22 1 259:2 / / rw - ext4 /dev/sda1 rw\n";
constexpr const char* kOverlay = "700 600 0:90 / / rw,relatime - overlay overlay rw\n";
constexpr const char* kFirstPid = "pid:[4026531836]";
constexpr const char* kOtherPid = "pid:[4026532281]";

HostEvidence on_machine() {
  HostEvidence evidence;
  evidence.pid_namespace = kFirstPid;
  evidence.network_namespace = evidence.first_network_namespace = "net:[4026531840]";
  evidence.status = "Name:\tx\nNSpid:\t4711\n";
  evidence.mountinfo = kPlainMounts;
  evidence.cgroup = "0::/user.slice\n";
  return evidence;
}

HostEvidence in_docker() {
  HostEvidence evidence;
  evidence.pid_namespace = kOtherPid;
  evidence.network_namespace = evidence.first_network_namespace = "net:[4026532290]";
  evidence.status = "Name:\tx\nNSpid:\t1\n";
  evidence.mountinfo = kOverlay;
  evidence.cgroup = "0::/\n";
  evidence.docker_file = true;
  return evidence;
}

}  // namespace

TEST_CASE("On the machine itself there is nothing to say") {
  const HostView view = judge_host(on_machine());
  CHECK_FALSE(view.in_container);
  CHECK(view.all_of_machine());
  CHECK(view.text.empty());
  CHECK(judge_host({}).text.empty());
}

TEST_CASE("In Docker the CPU and memory are the machine's, processes and network are not", "[T-L12]") {
  const HostView view = judge_host(in_docker());
  CHECK(view.in_container);
  CHECK(view.engine == "docker");
  CHECK(view.processor == Whose::machine);
  CHECK(view.processes == Whose::container);
  CHECK(view.network == Whose::container);
  CHECK(view.filesystems == Whose::container);
  CHECK(view.text ==
        "Runs in a container (docker). Only this container's: processes, network and file systems. The "
        "machine's: CPU, memory, load, disks.");
  CHECK(view.fix.find("--pid=host") != std::string::npos);
}

TEST_CASE("With the machine's files mounted all is the machine's, and says so", "[T-L12]") {
  const FakeProcRoot files{"container"};
  HostEvidence evidence = in_docker();
  evidence.foreign_root = evidence.foreign_filesystem = true;
  evidence.status = files.text("proc/self/status");  // two PID namespaces deep
  evidence.mountinfo = files.text("proc/self/mountinfo");
  const HostView view = judge_host(evidence);
  CHECK(view.in_container);
  CHECK(view.all_of_machine());
  CHECK(view.text == "Runs in a container (docker). What is shown is the machine's.");
  CHECK(view.fix.empty());
}

TEST_CASE("A foreign root that shows the container itself is not taken for the machine", "[T-L12]") {
  HostEvidence evidence = in_docker();
  evidence.foreign_root = true;
  const HostView view = judge_host(evidence);
  CHECK(view.processes == Whose::container);
  CHECK(view.network == Whose::container);
}

TEST_CASE("Under lxcfs the CPU and memory are the container's too", "[T-L12]") {
  HostEvidence evidence = in_docker();
  evidence.docker_file = false;
  evidence.container_variable = "lxc";
  evidence.mountinfo =
      "1 0 0:50 / / rw - ext4 /dev/sda1 rw\n2 1 0:51 /proc/stat /proc/stat rw - fuse.lxcfs lxcfs rw\n";
  const HostView view = judge_host(evidence);
  CHECK(view.engine == "lxc");
  CHECK(view.processor == Whose::container);
  CHECK(view.text.find("Only this container's: CPU, memory, load, disks, processes") != std::string::npos);
}

TEST_CASE("With the machine's process and network namespaces only the file systems are the container's") {
  HostEvidence evidence = in_docker();
  evidence.pid_namespace = kFirstPid;
  evidence.network_namespace = evidence.first_network_namespace = "net:[4026531840]";
  const HostView view = judge_host(evidence);
  CHECK(view.in_container);
  CHECK(view.processes == Whose::machine);
  CHECK(view.network == Whose::machine);
  CHECK(view.filesystems == Whose::container);
}

TEST_CASE("With the machine's processes but a network of its own the network is the container's") {
  HostEvidence evidence = in_docker();
  evidence.pid_namespace = kFirstPid;
  evidence.first_network_namespace = "net:[4026531840]";
  CHECK(judge_host(evidence).network == Whose::container);
  evidence.first_network_namespace.clear();  // not allowed to see
  CHECK(judge_host(evidence).network == Whose::container);
  evidence.network_namespace = "net:[4026531833]";  // the first one, by its fixed number
  CHECK(judge_host(evidence).network == Whose::machine);
}

TEST_CASE("The file that Docker leaves proves nothing in a virtual machine made from an image") {
  HostEvidence evidence = on_machine();
  evidence.docker_file = true;
  CHECK_FALSE(judge_host(evidence).in_container);
}

TEST_CASE("The engine is known from the control group, the variable or the file") {
  const auto engine = [](const char* cgroup, const char* variable, bool podman) {
    HostEvidence evidence = in_docker();
    evidence.docker_file = false;
    evidence.cgroup = cgroup;
    evidence.container_variable = variable;
    evidence.podman_file = podman;
    return judge_host(evidence).engine;
  };
  CHECK(engine("0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-2.scope\n", "", false) == "kubernetes");
  CHECK(engine("12:cpu:/docker/0a1b\n", "", false) == "docker");
  CHECK(engine("0::/\n", "systemd-nspawn", false) == "systemd-nspawn");
  CHECK(engine("0::/\n", "", true) == "podman");
  CHECK(engine("0::/\n", "", false).empty());
}

TEST_CASE("Namespace links that are none say nothing", "[parse]") {
  CHECK(parse_namespace("pid:[4026531836]") == 4026531836);
  for (const char* link : {"", "pid", "pid:[", "pid:]5[", "pid:[x]", "[]"})
    CHECK_FALSE(parse_namespace(link).has_value());
}
