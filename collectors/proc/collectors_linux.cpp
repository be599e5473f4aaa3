#include "collectors/proc/collectors_linux.hpp"

#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "collectors/proc/cgroup_collector.hpp"
#include "collectors/proc/file_tree_linux.hpp"
#include "collectors/proc/filesystem_source_linux.hpp"
#include "collectors/proc/machine_collector.hpp"
#include "collectors/proc/process_collector.hpp"
#include "collectors/proc/sensor_collector.hpp"

namespace countertop::proc {
namespace {

MachineFacts read_facts() {
  MachineFacts facts;
  if (const long ticks = ::sysconf(_SC_CLK_TCK); ticks > 0) facts.ticks_per_second = ticks;
  if (const long bytes = ::sysconf(_SC_PAGESIZE); bytes > 0) facts.page_bytes = bytes;
  return facts;
}

std::unique_ptr<FileTree> open_tree(const ProcRoot& root) { return std::make_unique<LinuxFileTree>(root); }

std::unique_ptr<Collector> make_filesystem_collector(const ProcRoot& root,
                                                     const LinuxCollectorOptions& linux_options) {
  FilesystemOptions options;
  options.with_network = linux_options.network_filesystems;
  // Mount points of the machine can be reached only where its root is mounted; without it our own are shown.
  if (!root.filesystem.empty()) options.mounts = "1/mountinfo";
  return std::make_unique<FilesystemCollector>(
      open_tree(root), std::make_unique<LinuxFilesystemSource>(root.filesystem), options);
}

std::string text_of(const Result<std::string_view>& text) {
  return text ? std::string(*text) : std::string();
}

}  // namespace

std::vector<std::unique_ptr<Collector>> make_linux_collectors(const ProcRoot& root,
                                                              const LinuxCollectorOptions& options) {
  std::vector<std::unique_ptr<Collector>> collectors;
  collectors.push_back(make_machine_collector(open_tree(root), read_facts(), root.is_foreign()));
  collectors.push_back(make_process_collector(root));
  collectors.push_back(make_cgroup_collector(root));
  collectors.push_back(make_filesystem_collector(root, options));
  collectors.push_back(std::make_unique<SensorCollector>(open_tree(root)));
  return collectors;
}

HostView view_host(const ProcRoot& root) {
  LinuxFileTree own({}), shown(root);
  HostEvidence evidence;
  evidence.foreign_root = root.is_foreign();
  evidence.foreign_filesystem = !root.filesystem.empty();
  evidence.pid_namespace = own.link_target(Tree::proc, "self/ns/pid").value_or("");
  evidence.network_namespace = own.link_target(Tree::proc, "self/ns/net").value_or("");
  evidence.first_network_namespace = shown.link_target(Tree::proc, "1/ns/net").value_or("");
  evidence.status = text_of(shown.read_once(Tree::proc, "self/status"));
  evidence.mountinfo = text_of(own.read_once(Tree::proc, "self/mountinfo"));
  evidence.cgroup = text_of(own.read_once(Tree::proc, "self/cgroup"));
  evidence.docker_file = ::access("/.dockerenv", F_OK) == 0;
  evidence.podman_file = ::access("/run/.containerenv", F_OK) == 0;
  if (const char* variable = std::getenv("container"); variable != nullptr)
    evidence.container_variable = variable;
  return judge_host(evidence);
}

}  // namespace countertop::proc
