// Errors as RFC 9457 problem documents, with what to do about them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/api/message.hpp"

namespace countertop::api {

/// What is wrong with one parameter of the request.
struct ParameterError {
  std::string parameter;
  std::string detail;
  std::string did_you_mean;  // the nearest known name; may be empty
};

struct Problem {
  int status = 500;
  std::string slug;    // end of the type address: "unknown-parameter"
  std::string title;   // the same for every problem of the type
  std::string detail;  // one sentence about this request
  std::string fix;
  std::vector<ParameterError> errors;
  int retry_after_s = 0;  // > 0: Retry-After
};

template <typename T>
using Answered = tl::expected<T, Problem>;

[[nodiscard]] Response problem_response(const Problem& problem, std::string_view instance);

/// Status and type follow from the error's code; a wrong `parameter` is named when it is known.
[[nodiscard]] Problem problem_from(const Error& error, std::string_view parameter = {});

[[nodiscard]] Problem bad_parameter(std::string_view parameter, std::string detail, std::string fix = {},
                                    std::string did_you_mean = {});

/// Lines like the members of a problem, for a stream that ends in an error: {"title":...,"status":...}.
[[nodiscard]] std::string problem_json(const Problem& problem, std::string_view instance);

/// Texts from outside in a message: at most 80 bytes, control characters and malformed UTF-8 replaced.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace countertop::api
