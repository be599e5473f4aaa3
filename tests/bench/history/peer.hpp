// Programs that the benchmark starts for comparison: on free loopback ports, in temporary directories, never
// as a service of the system.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace countertop::bench {

/// Full path of a program in PATH or the usual directories.
[[nodiscard]] std::optional<std::filesystem::path> find_program(const std::string& name);

[[nodiscard]] int free_loopback_port();

/// A child process with its output in `log`; ended (SIGTERM, later SIGKILL) with the object.
class Child {
 public:
  Child(const std::vector<std::string>& command, const std::filesystem::path& log);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  /// Waits for the end; true when it ended with 0.
  [[nodiscard]] bool wait();
  [[nodiscard]] double cpu_seconds() const;  // so far; after wait: of its whole life
  [[nodiscard]] bool is_running();

 private:
  pid_t pid_ = -1;
  double cpu_s_ = 0;  // once it has ended
};

/// GET and POST on the loopback interface; nullopt when there is no answer or the status is not 2xx.
[[nodiscard]] std::optional<std::string> http_get(int port, const std::string& path);
[[nodiscard]] std::optional<std::string> http_post(int port, const std::string& path,
                                                   const std::string& body);

/// Asks until there is an answer; false after `seconds` or when the child is gone.
[[nodiscard]] bool wait_until_ready(Child& child, int port, const std::string& path, int seconds);

[[nodiscard]] std::string percent_encoded(const std::string& text);

}  // namespace countertop::bench
