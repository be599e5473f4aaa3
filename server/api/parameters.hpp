// The parameters of a request, checked against the names that a resource knows. Nothing is ignored in
// silence.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/message.hpp"
#include "server/api/problem.hpp"

namespace countertop::api {

struct ParameterName {
  std::string_view name;
  std::string_view alias_of = {};  // "" for a name of its own
  bool repeated = false;           // may be given several times
};

/// Borrows from the request, which must outlive it.
class Parameters {
 public:
  /// 400 for an unknown name (with the nearest known one), for one given twice, and for a name together with
  /// its alias.
  [[nodiscard]] static Answered<Parameters> read(const Request& request,
                                                 std::span<const ParameterName> known);

  /// nullopt when the parameter, under whichever alias, was not given.
  [[nodiscard]] std::optional<std::string_view> text(std::string_view name) const;
  [[nodiscard]] std::vector<std::string_view> all(std::string_view name) const;
  /// The name under which it was given, for messages.
  [[nodiscard]] std::string_view given_name(std::string_view name) const;

  [[nodiscard]] Answered<std::optional<std::size_t>> whole_number(std::string_view name, std::size_t least,
                                                                  std::size_t most) const;
  /// "1", "true", "yes", "on" or nothing after the name; "0", "false", "no", "off".
  [[nodiscard]] Answered<bool> flag(std::string_view name, bool absent) const;

 private:
  struct Given {
    std::string_view name;  // the one that stands for all aliases
    std::string_view as;    // what the client wrote
    std::string_view value;
  };
  std::vector<Given> given_;
};

/// 400 that lists what may stand there.
[[nodiscard]] Problem not_one_of(std::string_view parameter, std::string_view value,
                                 std::span<const std::string_view> allowed);

}  // namespace countertop::api
