// The configuration file: TOML, sections and keys of the setting table.
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "server/app/settings.hpp"
#include "server/app/whole_file.hpp"
#include "server/query/suggest.hpp"

namespace countertop::app {
namespace {

std::string place(std::string_view file, const toml::node& node) {
  return std::string(file) + " line " + std::to_string(node.source().begin.line);
}

tl::unexpected<Error> unknown_key(std::string_view file, const toml::node& node, const std::string& key) {
  std::vector<std::string> known;
  for (const auto& setting : setting_table()) known.push_back(dotted_name(setting));
  const auto near = query::nearest_names(key, known);
  return fail(ErrorCode::invalid_argument,
              place(file, node) + ": '" + key + "' is no setting" +
                  (near.empty() ? "." : "; " + query::did_you_mean(near)),
              "`countertop config show` lists every setting.");
}

/// Scalars as the text that a flag would have; lists with commas. nullopt for tables, dates and nested lists.
std::optional<std::string> text_of(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
  if (const toml::array* list = node.as_array()) {
    std::string joined;
    for (const toml::node& item : *list) {
      const auto text = item.value_exact<std::string>();
      if (!text) return std::nullopt;
      joined += (joined.empty() ? "" : ",") + *text;
    }
    return joined;
  }
  return std::nullopt;
}

}  // namespace

Result<std::map<std::string, SettingSources::Given>> read_settings_file(const std::filesystem::path& file) {
  const auto text = read_whole_file(file);
  if (!text) return tl::unexpected<Error>(text.error());
  return parse_settings(*text, file.string());
}

Result<std::map<std::string, SettingSources::Given>> parse_settings(std::string_view text,
                                                                    std::string_view file) {
  toml::table document;
  try {
    document = toml::parse(text, file);
  } catch (const toml::parse_error& problem) {
    std::ostringstream message;
    message << file << " line " << problem.source().begin.line << ": " << problem.description() << ".";
    return fail(ErrorCode::malformed, message.str());
  }

  std::map<std::string, SettingSources::Given> given;
  for (const auto& [section, node] : document) {
    const std::string section_name(section.str());
    const toml::table* keys = node.as_table();
    if (keys == nullptr) return unknown_key(file, node, section_name);
    for (const auto& [key, value] : *keys) {
      const std::string dotted = section_name + "." + std::string(key.str());
      const auto table = setting_table();
      if (std::none_of(table.begin(), table.end(),
                       [&](const auto& row) { return dotted_name(row) == dotted; })) {
        return unknown_key(file, value, dotted);
      }
      const auto written = text_of(value);
      if (!written) {
        return fail(ErrorCode::invalid_argument,
                    place(file, value) + ": '" + dotted + "' takes a text, a number or a list of texts.");
      }
      given[dotted] = {*written, place(file, value)};
    }
  }
  return given;
}

}  // namespace countertop::app
