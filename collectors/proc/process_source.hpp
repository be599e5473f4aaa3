// Where the bytes about processes come from. The real one reads /proc; tests put a play of their own in its
// place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "collectors/core/result.hpp"
#include "collectors/proc/process_object.hpp"

namespace countertop::proc {

enum class ProcessFile : std::uint8_t { stat, schedule, io };
inline constexpr std::size_t kProcessFileCount = 3;

enum class ReadState : std::uint8_t {
  ok,
  gone,     // the process ended, which is no error
  refused,  // for lack of rights
  failed,   // anything else: no such file in this kernel, no descriptors left
};

struct FileRead {
  ReadState state = ReadState::failed;
  std::string_view bytes;  // valid until the source's next read
};

/// Descriptors that a source keeps open for one process between readings; -1 is none. A kept descriptor
/// belongs to the process it was opened for and not to whoever gets its number later.
struct KeptFiles {
  std::array<int, kProcessFileCount> descriptors{-1, -1, -1};
};

class ProcessSource {
 public:
  ProcessSource() = default;
  ProcessSource(const ProcessSource&) = delete;
  ProcessSource& operator=(const ProcessSource&) = delete;
  virtual ~ProcessSource() = default;

  /// Ascending process numbers; valid until the next call. May name processes that have ended since.
  [[nodiscard]] virtual Result<std::span<const std::int32_t>> list() = 0;
  [[nodiscard]] virtual FileRead read(std::int32_t pid, ProcessFile file, KeptFiles& kept) = 0;
  /// Closes what is kept.
  virtual void release(KeptFiles& kept) = 0;

  [[nodiscard]] virtual ProcessUnits units() const = 0;
  /// Unix seconds at which the machine started, as the kernel says; it may move with the wall clock.
  [[nodiscard]] virtual std::optional<std::int64_t> boot_unix_s() = 0;
  /// CPUs online, at least 1.
  [[nodiscard]] virtual std::int64_t online_cpus() = 0;
  /// Why some processes cannot be seen at all: a PID namespace, hidepid.
  [[nodiscard]] virtual std::vector<Error> blind_spots() = 0;
};

}  // namespace countertop::proc
