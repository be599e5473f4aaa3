// The address of a value: `cpu(total)/busy`, `\\HOST\Processor(_Total)\% Processor Time`,
// `process(nginx)/cpu`.
//
//   path      = [ host ] object [ "(" instance ")" ] separator counter
//   host      = separator separator text separator      text: no separator; "." is this machine
//             | [ separator ]                           nothing, or the one leading separator of a local PDH
//             path
//   object    = one or more characters, none of "(" ")" "/" "\"
//   instance  = any characters; it ends at the first ")" that a separator follows directly
//   separator = "/" | "\"
//   counter   = the whole rest, one or more of any characters
//
// Inside the parentheses (and in a host) `%` and two hexadecimal digits stand for one byte. Writing needs it
// for: a ")" that a separator follows (%29), a literal "*" (%2A), a "%" that two hexadecimal digits follow
// (%25), control characters and bytes that are no valid UTF-8. Everything else stands for itself, so that
// `process(a) S 1 (b:12@1764500000)/cpu` is what it looks like. In a counter only a literal "*" is written
// %2A (and a literal "%2A" as "%252A"): `% Processor Time` needs no escape. Decidable without knowing any
// object.
//
// `*` stands for any text. In the strings of a CounterPath a literal "*" is ESC "*" and a literal ESC is ESC
// ESC; use literal(), matches(), exact_name() rather than comparing such strings with names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "collectors/core/object.hpp"
#include "collectors/core/result.hpp"
#include "server/query/model.hpp"

namespace countertop::query {

inline constexpr std::size_t kMaxPathBytes = 8192;

/// invalid_argument says what is missing, with an example.
[[nodiscard]] Result<CounterPath> parse_counter_path(std::string_view text);

/// Canonical text with "/" as separator. parse_counter_path(format_counter_path(p)) == p for every p that was
/// parsed or made of literal() names and `*`.
[[nodiscard]] std::string format_counter_path(const CounterPath& path);

/// Canonical path of one value, from plain names. `instance` nullopt: the object has no instances.
[[nodiscard]] std::string make_path(std::string_view object, std::optional<std::string_view> instance,
                                    std::string_view counter, std::string_view host = {});
/// The same; whether there are parentheses follows from `object.instanced`.
[[nodiscard]] std::string make_path(const ObjectDefinition& object, std::string_view instance,
                                    std::string_view counter, std::string_view host = {});

/// The pattern that matches exactly `name`.
[[nodiscard]] std::string literal(std::string_view name);
[[nodiscard]] bool has_wildcard(std::string_view pattern);
/// The one name that a pattern without wildcard matches.
[[nodiscard]] std::optional<std::string> exact_name(std::string_view pattern);
/// Case matters. Time is at most pattern length times name length.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view name);

/// "nginx" of "nginx:812@1764500000": an instance of a grouped object is GROUP:REST, where REST holds no
/// colon. The whole name when there is no colon.
[[nodiscard]] std::string_view group_of(std::string_view instance);

/// A process instance taken apart.
struct ProcessInstance {
  std::string_view name;  // borrowed from the instance's name
  std::int64_t pid = 0;
  std::int64_t start_s = 0;
};
/// nullopt unless the text is NAME:PID@START with decimal numbers.
[[nodiscard]] std::optional<ProcessInstance> parse_process_instance(std::string_view instance);

}  // namespace countertop::query
