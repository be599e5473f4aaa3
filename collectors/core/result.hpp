// Errors are values: what failed, why, and where one exists the command that mends it.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace countertop {

enum class ErrorCode {
  invalid_argument,  // the caller's input is wrong
  not_found,         // the named thing does not exist
  malformed,         // bytes from outside break their format
  permission,        // the system refused for lack of rights
  unavailable,       // the source does not exist here, or not now
  busy,              // somebody else holds it
  too_large,         // a stated limit is exceeded
  cancelled,         // stopped by the caller
  no_space,          // the disk or the size cap is full
  io,                // any other refusal of the operating system
  internal,          // our own mistake
};

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;  // one plain sentence with the context: path, offset, value
  std::string fix;      // what to do about it, a command where one exists; may be empty
  int os_code = 0;      // errno or GetLastError(), 0 where there is none
};

template <typename T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string fix = {},
                                                int os_code = 0) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(fix), os_code});
}

}  // namespace countertop
