// A source of waits, as the `locks` collector and `countertop locks` drive it.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "collectors/contention/symbols.hpp"
#include "collectors/contention/wait_window.hpp"
#include "collectors/core/result.hpp"

namespace countertop::contention {

struct SourceSettings {
  std::vector<std::uint32_t> processes;  // only these; empty = all
  std::uint32_t sample_one_in = 16;      // stacks: one wait in N of each group of equal waits
  std::uint32_t stack_bytes = 512;       // user stack copied for unwinding, 128 to 8192
  std::uint32_t ring_bytes = 4U << 20;   // buffer between kernel and program; a power of two
  double cpu_cap_percent =
      2.0;  // of one CPU, for the source's own threads; beyond it sampling backs off, which is said
};

/// Used from one thread. Construction never touches the system; start() may fail with ErrorCode::permission
/// or unavailable, whose `fix` is the command that would give the right.
class WaitSource {
 public:
  WaitSource() = default;
  WaitSource(const WaitSource&) = delete;
  WaitSource& operator=(const WaitSource&) = delete;
  virtual ~WaitSource() = default;

  [[nodiscard]] virtual Method method() const = 0;
  virtual Result<void> start(const SourceSettings& settings) = 0;
  /// Watches until the monotonic clock reaches `until_ns` or a stop is requested, then gives all waits since
  /// the previous call; those still open are cut there and go on in the next window.
  virtual Result<RawWindow> collect(std::int64_t until_ns, const std::stop_token& stop) = 0;
  /// Names for the addresses of its windows. Lives as long as the source; may be used from another thread,
  /// one at a time, and remembers processes that have ended for a while.
  [[nodiscard]] virtual SymbolSource& symbols() = 0;
};

/// One way of watching, whether it works here, and what would make it work.
struct SourceChoice {
  Method method = Method::ebpf;
  bool usable = false;
  std::string reason;  // why not, one sentence; empty when usable
  std::string fix;     // the command that gives it; may be empty
};

}  // namespace countertop::contention
