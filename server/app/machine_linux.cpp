#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "server/app/machine.hpp"

namespace countertop::app {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string first_line(const std::string& path) {
  std::string text = read_file(path);
  text.resize(std::min(text.find('\n'), text.size()));
  return text;
}

/// The zone is the tail of what /etc/localtime points to, below .../zoneinfo/.
std::string zone_name() {
  if (const char* zone = std::getenv("TZ"); zone != nullptr && zone[0] != '\0' && zone[0] != ':') return zone;
  std::error_code problem;
  const std::string target = std::filesystem::read_symlink("/etc/localtime", problem).string();
  constexpr std::string_view kFolder = "zoneinfo/";
  const std::size_t at = target.find(kFolder);
  if (at != std::string::npos) return target.substr(at + kFolder.size());
  const std::string named = first_line("/etc/timezone");
  return named.empty() ? "UTC" : named;
}

/// The number behind "key: " in a file of such lines; -1 when it is not there.
std::int64_t number_after(const std::string& text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string::npos) return -1;
  std::size_t begin = at + key.size();
  while (begin < text.size() && (text[begin] == ' ' || text[begin] == '\t')) ++begin;
  std::int64_t number = -1;
  std::from_chars(text.data() + begin, text.data() + text.size(), number);
  return number;
}

/// Since Linux 6.2 the size of the directory is the number of descriptors. Before, each is counted, which
/// costs more than all else here: a descriptor is kept for each process that is watched.
std::int64_t count_open_files() {
  constexpr const char* kDescriptors = "/proc/self/fd";
  struct stat directory{};
  if (::stat(kDescriptors, &directory) == 0 && directory.st_size > 0) return directory.st_size;
  std::error_code problem;
  std::filesystem::directory_iterator files(kDescriptors, problem);
  return problem ? -1 : std::distance(files, std::filesystem::directory_iterator());
}

}  // namespace

MachineIdentity identify_machine(const std::string& proc_root) {
  MachineIdentity identity;
  identity.host = first_line(proc_root + "/sys/kernel/hostname");
  if (identity.host.empty()) {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) == 0) identity.host = name.data();
  }
  if (identity.host.empty()) identity.host = "localhost";
  identity.boot_id = first_line(proc_root + "/sys/kernel/random/boot_id");
  identity.zone = zone_name();
  return identity;
}

std::vector<std::string> environment_variables() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) variables.emplace_back(*variable);
  return variables;
}

OwnUsage read_own_usage() {
  OwnUsage usage;
  rusage resources{};
  if (getrusage(RUSAGE_SELF, &resources) == 0) {
    usage.cpu_us = (resources.ru_utime.tv_sec + resources.ru_stime.tv_sec) * 1'000'000 +
                   resources.ru_utime.tv_usec + resources.ru_stime.tv_usec;
  }
  const std::string status = read_file("/proc/self/status");
  usage.resident_bytes = std::max<std::int64_t>(0, number_after(status, "VmRSS:")) * 1024;
  usage.threads = std::max<std::int64_t>(0, number_after(status, "Threads:"));
  usage.written_bytes = number_after(read_file("/proc/self/io"), "\nwrite_bytes:");
  usage.open_files = count_open_files();
  return usage;
}

}  // namespace countertop::app
