// Whose numbers are shown: the machine's or a container's. Pure: evidence in, verdict out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace countertop::proc {

/// What host_view_linux.cpp finds. Everything may be missing for lack of rights.
struct HostEvidence {
  bool foreign_root = false;            // ProcRoot::is_foreign
  bool foreign_filesystem = false;      // ProcRoot::filesystem is set
  std::string pid_namespace;            // target of our own /proc/self/ns/pid: "pid:[4026531836]"
  std::string network_namespace;        // target of our own /proc/self/ns/net
  std::string first_network_namespace;  // target of 1/ns/net below the root
  std::string status;                   // self/status below the root: NSpid tells how deep we are in it
  std::string mountinfo;                // our own /proc/self/mountinfo
  std::string cgroup;                   // our own /proc/self/cgroup
  bool docker_file = false;             // /.dockerenv
  bool podman_file = false;             // /run/.containerenv
  std::string container_variable;       // environment variable `container`: "lxc", "podman", "systemd-nspawn"
};

enum class Whose : std::uint8_t { machine, container };

struct HostView {
  bool in_container = false;
  std::string engine;  // "docker", "kubernetes", "lxc" ...; empty when it is not known
  Whose processor =
      Whose::machine;  // CPU, memory, load, disks: files of /proc that lxcfs puts others in place of
  Whose processes = Whose::machine;
  Whose network = Whose::machine;
  Whose filesystems = Whose::machine;
  std::string text;  // what is whose, in a sentence or two; empty outside of containers
  std::string fix;   // how to see the machine; empty where all is the machine's

  [[nodiscard]] bool all_of_machine() const {
    return processor == Whose::machine && processes == Whose::machine && network == Whose::machine &&
           filesystems == Whose::machine;
  }
};

[[nodiscard]] HostView judge_host(const HostEvidence& evidence);

/// PROC_PID_INIT_INO of include/linux/proc_ns.h: the namespace of process numbers that a machine starts with.
inline constexpr std::int64_t kFirstPidNamespace = 0xEFFFFFFC;

/// "pid:[4026531836]" -> 4026531836.
[[nodiscard]] std::optional<std::int64_t> parse_namespace(std::string_view link);

}  // namespace countertop::proc
