// Names for addresses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collectors/contention/event.hpp"

namespace countertop::contention {

/// One level of a stack; several come from one address where the compiler inlined and debug information says
/// so.
struct Frame {
  std::string module;    // file name without directories: "libc.so.6", "[kernel]"; empty = not known
  std::string function;  // demangled; empty = not known, `module` and `offset` stand for it
  std::uint64_t offset =
      0;             // from the function's start, or from the module's where the function is not known
  std::string file;  // source file; empty = no debug information
  std::uint32_t line = 0;
  std::string reason;  // why the function is not known, one phrase; empty when it is
};

/// A variable that holds a lock: "g_queueMutex" + 8.
struct DataSymbol {
  std::string module;
  std::string name;  // empty: a heap or stack address
  std::uint64_t offset = 0;
};

/// Implemented by libdw on Linux, dbghelp on Windows, the image list of a trace, and doubles in tests. Slow:
/// called off the hot path. Never fails: what is not known is empty, with the reason.
class SymbolSource {
 public:
  virtual ~SymbolSource() = default;
  /// Innermost first; at least one. `is_return_address` is false only for the innermost frame of a stack:
  /// else the call lies one byte before.
  [[nodiscard]] virtual std::vector<Frame> frames_at(const ProcessKey& process, std::uint64_t address,
                                                     bool is_return_address) = 0;
  [[nodiscard]] virtual DataSymbol variable_at(const ProcessKey& process, std::uint64_t address) = 0;
};

}  // namespace countertop::contention
