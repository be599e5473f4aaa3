#include "server/api/parameters.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "collectors/core/utf8.hpp"
#include "server/query/suggest.hpp"

namespace countertop::api {
namespace {

Problem unknown_parameter(std::string_view name, std::span<const ParameterName> known) {
  std::vector<std::string_view> names;
  for (const ParameterName& one : known) names.push_back(one.name);
  const auto near = query::nearest_names(name, names, 1);
  std::string all;
  for (const ParameterName& one : known) {
    if (one.alias_of.empty()) all += (all.empty() ? "" : ", ") + std::string(one.name);
  }
  Problem problem = bad_parameter(
      name, "There is no parameter '" + shown(name) + "' here.",
      near.empty() ? (all.empty() ? "Leave it out: there are no parameters here." : "Known are " + all + ".")
                   : "Use '" + near.front() + "', or leave it out.",
      near.empty() ? std::string() : near.front());
  problem.slug = "unknown-parameter";
  problem.title = "A parameter is not known";
  return problem;
}

}  // namespace

Answered<Parameters> Parameters::read(const Request& request, std::span<const ParameterName> known) {
  Parameters parameters;
  for (const auto& [as, value] : request.query) {
    const auto* const rule =
        std::to_address(std::ranges::find(known, std::string_view(as), &ParameterName::name));
    if (rule == std::to_address(known.end())) return tl::unexpected(unknown_parameter(as, known));
    if (!is_utf8(value))
      return tl::unexpected(bad_parameter(as, "The value is not valid UTF-8.", "Encode it as UTF-8."));
    const std::string_view name = rule->alias_of.empty() ? rule->name : rule->alias_of;
    const auto before = std::ranges::find(parameters.given_, name, &Given::name);
    if (before != parameters.given_.end() && (!rule->repeated || before->as != rule->name)) {
      const std::string detail = before->as == rule->name ? "'" + std::string(as) + "' is given twice."
                                                          : "'" + std::string(as) + "' and '" +
                                                                std::string(before->as) + "' mean the same.";
      return tl::unexpected(bad_parameter(as, detail, "Leave out one of them."));
    }
    parameters.given_.push_back({name, rule->name, value});
  }
  return parameters;
}

std::optional<std::string_view> Parameters::text(std::string_view name) const {
  const auto found = std::ranges::find(given_, name, &Given::name);
  if (found == given_.end()) return std::nullopt;
  return found->value;
}

std::vector<std::string_view> Parameters::all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const Given& one : given_) {
    if (one.name == name) values.push_back(one.value);
  }
  return values;
}

std::string_view Parameters::given_name(std::string_view name) const {
  const auto found = std::ranges::find(given_, name, &Given::name);
  return found == given_.end() ? name : found->as;
}

Answered<std::optional<std::size_t>> Parameters::whole_number(std::string_view name, std::size_t least,
                                                              std::size_t most) const {
  const auto value = text(name);
  if (!value) return std::optional<std::size_t>();
  std::size_t number = 0;
  const auto read = std::from_chars(value->data(), value->data() + value->size(), number);
  const bool is_whole = read.ec == std::errc() && read.ptr == value->data() + value->size();
  if (!is_whole || number < least || number > most) {
    return tl::unexpected(
        bad_parameter(given_name(name), "'" + shown(*value) + "' is not a whole number between " +
                                            std::to_string(least) + " and " + std::to_string(most) + "."));
  }
  return std::optional(number);
}

Answered<bool> Parameters::flag(std::string_view name, bool absent) const {
  constexpr std::array<std::string_view, 5> kYes{"1", "true", "yes", "on", ""};
  constexpr std::array<std::string_view, 4> kNo{"0", "false", "no", "off"};
  const auto value = text(name);
  if (!value) return absent;
  if (std::ranges::find(kYes, *value) != kYes.end()) return true;
  if (std::ranges::find(kNo, *value) != kNo.end()) return false;
  return tl::unexpected(bad_parameter(given_name(name), "'" + shown(*value) + "' is neither 1 nor 0."));
}

Problem not_one_of(std::string_view parameter, std::string_view value,
                   std::span<const std::string_view> allowed) {
  std::string list;
  for (const std::string_view one : allowed) list += (list.empty() ? "" : ", ") + std::string(one);
  const auto near = query::nearest_names(value, allowed, 1);
  return bad_parameter(parameter, "'" + shown(value) + "' is not one of " + list + ".",
                       "Use one of " + list + ".", near.empty() ? std::string() : near.front());
}

}  // namespace countertop::api
