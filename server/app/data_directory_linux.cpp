#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "server/app/data_directory.hpp"
#include "server/app/processes.hpp"

namespace countertop::app {
namespace {

constexpr std::size_t kTokenLength = 43;

tl::unexpected<Error> system_failure(const std::string& what) {
  const int code = errno;
  const ErrorCode kind =
      code == EACCES || code == EPERM || code == EROFS ? ErrorCode::permission : ErrorCode::io;
  return fail(kind, what + ": " + std::strerror(code) + ".", "Choose another directory with --data DIR.",
              code);
}

std::string read_all(int descriptor) {
  std::array<char, 256> buffer{};
  const ssize_t count = pread(descriptor, buffer.data(), buffer.size(), 0);
  return count > 0 ? std::string(buffer.data(), static_cast<std::size_t>(count)) : std::string();
}

bool write_all(int descriptor, const std::string& text) {
  return ftruncate(descriptor, 0) == 0 &&
         pwrite(descriptor, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

tl::unexpected<Error> held_by_other(const std::filesystem::path& directory, const std::string& content) {
  long pid = 0;
  std::from_chars(content.data(), content.data() + content.size(), pid);
  std::string holder = "another process";
  if (pid > 0) {
    const std::string name = process_name(pid);
    holder = "process " + std::to_string(pid) + (name.empty() ? "" : " (" + name + ")");
  }
  return fail(ErrorCode::busy, directory.string() + " is in use by " + holder + ".",
              "Stop that program, or give this one a directory of its own with --data DIR.");
}

}  // namespace

std::filesystem::path default_data_directory() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && state[0] == '/') {
    return std::filesystem::path(state) / "countertop";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/') {
    return std::filesystem::path(home) / ".local/state/countertop";
  }
  return {};
}

Result<DirectoryLock> DirectoryLock::take(const std::filesystem::path& directory) {
  std::error_code problem;
  if (std::filesystem::create_directories(directory, problem)) chmod(directory.c_str(), 0700);
  if (problem) {
    errno = problem.value();
    return system_failure("The data directory " + directory.string() + " cannot be made");
  }
  const std::string file = (directory / "lock").string();
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0) return system_failure("The lock " + file + " cannot be opened");
  DirectoryLock lock(descriptor);
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return held_by_other(directory, read_all(descriptor));
    return system_failure("The lock " + file + " cannot be taken");
  }
  if (!write_all(descriptor, std::to_string(getpid()) + "\n")) {
    return system_failure("The lock " + file + " cannot be written");
  }
  return lock;
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

DirectoryLock::~DirectoryLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string random_token() {
  static constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::array<unsigned char, kTokenLength> bytes{};
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = getrandom(bytes.data() + filled, bytes.size() - filled, 0);
    if (count < 0 && errno != EINTR) std::abort();  // without random bytes there is no safe token
    if (count > 0) filled += static_cast<std::size_t>(count);
  }
  std::string token;
  for (const unsigned char byte : bytes) token += kLetters[byte & 63U];
  return token;
}

Result<std::string> read_or_make_token(const std::filesystem::path& directory) {
  const std::string file = (directory / "token").string();
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return system_failure("The token file " + file + " cannot be opened");
  // A token that others could read once is still theirs; at least it stops here.
  fchmod(descriptor, 0600);
  std::string token = read_all(descriptor);
  while (!token.empty() && (token.back() == '\n' || token.back() == ' ')) token.pop_back();
  if (token.size() < kTokenLength) {
    token = random_token();
    if (!write_all(descriptor, token + "\n")) {
      close(descriptor);
      return system_failure("The token file " + file + " cannot be written");
    }
  }
  close(descriptor);
  return token;
}

}  // namespace countertop::app
