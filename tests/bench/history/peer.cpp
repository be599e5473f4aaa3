#include "tests/bench/history/peer.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <httplib.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tests/bench/history/measure.hpp"

namespace countertop::bench {
namespace {

httplib::Client client_for(int port) {
  httplib::Client client("127.0.0.1", port);
  client.set_read_timeout(120);
  return client;
}

std::optional<std::string> body_of(const httplib::Result& result) {
  if (!result || result->status < 200 || result->status > 299) return std::nullopt;
  return result->body;
}

}  // namespace

std::optional<std::filesystem::path> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream directories(std::string(path == nullptr ? "" : path) + ":/usr/bin:/usr/local/bin");
  for (std::string directory; std::getline(directories, directory, ':');) {
    const std::filesystem::path candidate = std::filesystem::path(directory) / name;
    if (!directory.empty() && ::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return std::nullopt;
}

int free_loopback_port() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool bound = ::bind(descriptor, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  ::close(descriptor);
  if (!bound) throw std::runtime_error("There is no free port on the loopback interface.");
  return ntohs(address.sin_port);
}

Child::Child(const std::vector<std::string>& command, const std::filesystem::path& log) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ != 0) return;
  const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

Child::~Child() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGTERM);
  for (int i = 0; i < 100 && is_running(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

bool Child::wait() {
  int status = -1;
  rusage usage{};
  if (pid_ <= 0 || ::wait4(pid_, &status, 0, &usage) != pid_) return false;
  pid_ = -1;
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  cpu_s_ = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

double Child::cpu_seconds() const { return pid_ > 0 ? process_cpu_seconds(pid_) : cpu_s_; }

bool Child::is_running() {
  if (pid_ <= 0) return false;
  if (::waitpid(pid_, nullptr, WNOHANG) == 0) return true;
  pid_ = -1;
  return false;
}

std::optional<std::string> http_get(int port, const std::string& path) {
  return body_of(client_for(port).Get(path));
}

std::optional<std::string> http_post(int port, const std::string& path, const std::string& body) {
  return body_of(client_for(port).Post(path, body, "text/plain"));
}

bool wait_until_ready(Child& child, int port, const std::string& path, int seconds) {
  for (int i = 0; i < seconds * 10 && child.is_running(); ++i) {
    if (http_get(port, path)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

std::string percent_encoded(const std::string& text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      result += c;
    } else {
      result += '%';
      result += kDigits[byte >> 4];
      result += kDigits[byte & 15];
    }
  }
  return result;
}

}  // namespace countertop::bench
