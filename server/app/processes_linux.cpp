#include <unistd.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "server/app/processes.hpp"

namespace countertop::app {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// True when one of the process's descriptors is the socket.
bool holds_socket(const std::filesystem::path& process, const std::string& link) {
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(process / "fd", problem)) {
    std::array<char, 64> target{};
    const ssize_t length = readlink(entry.path().c_str(), target.data(), target.size());
    if (length > 0 && std::string_view(target.data(), static_cast<std::size_t>(length)) == link) return true;
  }
  return false;
}

}  // namespace

std::string process_name(long pid) {
  std::string name = read_file("/proc/" + std::to_string(pid) + "/comm");
  while (!name.empty() && name.back() == '\n') name.pop_back();
  for (char& letter : name) {
    if (static_cast<unsigned char>(letter) < 0x20)
      letter = '?';  // names are hostile text, and this goes to a terminal
  }
  return name;
}

std::optional<PortOwner> find_port_owner(std::uint16_t port) {
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    for (const auto& socket : parse_listening_sockets(read_file(table))) {
      if (socket.port != port) continue;
      const std::string link = "socket:[" + std::to_string(socket.inode) + "]";
      std::error_code problem;
      for (const auto& entry : std::filesystem::directory_iterator("/proc", problem)) {
        const std::string name = entry.path().filename().string();
        long pid = 0;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (error != std::errc{} || end != name.data() + name.size()) continue;
        if (holds_socket(entry.path(), link)) return PortOwner{pid, process_name(pid)};
      }
    }
  }
  return std::nullopt;
}

}  // namespace countertop::app
