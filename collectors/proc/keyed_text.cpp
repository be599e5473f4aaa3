#include "collectors/proc/keyed_text.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "collectors/proc/text_scan.hpp"

namespace countertop::proc {
namespace {

/// The rest of `line` when it belongs to `section` ("Tcp: ..."), else nullopt.
std::optional<std::string_view> rest_of_section(std::string_view line, std::string_view section) {
  if (!line.starts_with(section) || line.size() <= section.size() || line[section.size()] != ':')
    return std::nullopt;
  return line.substr(section.size() + 1);
}

/// Memory zones, as the kernel spells them in names of /proc/vmstat (mm/vmstat.c, TEXTS_FOR_ZONES).
constexpr std::array<std::string_view, 6> kZoneEndings = {"_dma",  "_dma32",   "_normal",
                                                          "_high", "_movable", "_device"};

std::string_view without_zone(std::string_view key) {
  for (const std::string_view ending : kZoneEndings)
    if (key.ends_with(ending)) return key.substr(0, key.size() - ending.size());
  return {};
}

}  // namespace

void parse_key_values(std::string_view text, std::vector<KeyValue>& out) {
  out.clear();
  while (auto line = take_whole_line(text)) {
    std::string_view key = take_word(*line);
    if (key.ends_with(':')) key.remove_suffix(1);
    const auto value = take_number(*line);
    if (!key.empty() && value) out.push_back({key, *value});
  }
}

void parse_protocol_table(std::string_view text, std::string_view section, std::vector<KeyValue>& out) {
  out.clear();
  std::optional<std::string_view> names;
  while (const auto line = take_whole_line(text)) {
    const auto rest = rest_of_section(*line, section);
    if (!rest) {
      names.reset();
      continue;
    }
    if (!names) {
      names = rest;
      continue;
    }
    std::string_view numbers = *rest;
    while (true) {
      const std::string_view name = take_word(*names);
      const std::string_view number = take_word(numbers);
      if (name.empty() || number.empty()) break;
      if (const auto value = parse_number(number)) out.push_back({name, *value});
    }
    names.reset();
  }
}

void parse_socket_line(std::string_view text, std::string_view section, std::vector<KeyValue>& out) {
  out.clear();
  while (const auto line = take_whole_line(text)) {
    auto rest = rest_of_section(*line, section);
    if (!rest) continue;
    while (true) {
      const std::string_view name = take_word(*rest);
      const std::string_view number = take_word(*rest);
      if (name.empty() || number.empty()) break;
      if (const auto value = parse_number(number)) out.push_back({name, *value});
    }
  }
}

KeyedRow::KeyedRow(const ObjectDefinition& object) : values_(object.fields.size(), kNoValue) {
  for (std::size_t i = 0; i < object.fields.size(); ++i) index_.emplace(object.fields[i].name, i);
}

void KeyedRow::clear() { std::ranges::fill(values_, kNoValue); }

void KeyedRow::fill(std::span<const KeyValue> pairs, std::string_view prefix) {
  for (const KeyValue& pair : pairs) {
    if (prefix.empty()) {
      set(pair.key, pair.value);
    } else {
      name_.assign(prefix).append(pair.key);
      set(name_, pair.value);
    }
  }
}

void KeyedRow::fill_summing_zones(std::span<const KeyValue> pairs) {
  for (const KeyValue& pair : pairs) {
    const std::string_view sum = without_zone(pair.key);
    if (sum.empty()) continue;
    const std::int64_t before = get(sum);
    // As unsigned: what a file says may be anything, and must not overflow.
    if (index_.contains(sum))
      set(sum, before == kNoValue ? pair.value
                                  : static_cast<std::int64_t>(static_cast<std::uint64_t>(before) +
                                                              static_cast<std::uint64_t>(pair.value)));
  }
  fill(pairs);
}

std::int64_t KeyedRow::get(std::string_view field) const {
  const auto found = index_.find(field);
  return found == index_.end() ? kNoValue : values_[found->second];
}

void KeyedRow::set(std::string_view field, std::int64_t value) {
  const auto found = index_.find(field);
  if (found != index_.end()) values_[found->second] = value;
}

bool KeyedRow::has_any() const {
  return std::ranges::any_of(values_, [](std::int64_t value) { return value != kNoValue; });
}

}  // namespace countertop::proc
