#include "collectors/perflib/name_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "collectors/perflib/wide_text.hpp"

namespace countertop::perflib {
namespace {

constexpr std::pair<std::uint32_t, std::string_view> kFixedNames[] = {
    {known::kSystem, "System"},
    {known::kMemory, "Memory"},
    {6, "% Processor Time"},
    {known::kProcess, "Process"},
    {known::kThread, "Thread"},
    {known::kPhysicalDisk, "PhysicalDisk"},
    {known::kLogicalDisk, "LogicalDisk"},
    {known::kProcessor, "Processor"},
    {known::kNetworkInterface, "Network Interface"},
    {known::kElapsedTime, "Elapsed Time"},
    {known::kIdProcess, "ID Process"},
    {known::kIdThread, "ID Thread"},
};

std::string_view fixed_name(std::uint32_t index) {
  const auto* const found =
      std::ranges::find(kFixedNames, index, &std::pair<std::uint32_t, std::string_view>::first);
  return found == std::end(kFixedNames) ? std::string_view() : found->second;
}

std::optional<std::uint32_t> parse_index(std::string_view text) {
  std::uint32_t index = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (text.empty() || problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return index;
}

}  // namespace

void NameTable::add(std::uint32_t index, std::string text) {
  const auto [at, is_new] = texts_.try_emplace(index, std::move(text));
  if (is_new) {
    indexes_.emplace(at->second, index);
  } else {
    ++skipped_;
  }
}

void NameTable::add_pair(std::string_view index, std::string text) {
  const auto number = parse_index(index);
  text = clean_text(text);
  if (!number || text.empty()) {
    ++skipped_;
  } else if (*number > 1) {  // 1 holds the upper bound of the indexes of the system itself
    add(*number, std::move(text));
  }
}

NameTable NameTable::from_multi_string(Bytes bytes) {
  NameTable table;
  std::vector<std::string> pair;
  std::size_t begin = 0;
  const std::size_t end = bytes.size() / 2;
  for (std::size_t at = 0; at < end; ++at) {
    if (bytes[2 * at] != std::byte{0} || bytes[2 * at + 1] != std::byte{0}) continue;
    pair.push_back(utf8_from_utf16(bytes.subspan(2 * begin, 2 * (at - begin))));
    begin = at + 1;
    if (pair.size() == 1) {
      // Two texts in a row, or an index without its text: go on at the next index.
      if (!parse_index(pair.front())) {
        if (!pair.front().empty()) ++table.skipped_;
        pair.clear();
      }
      continue;
    }
    table.add_pair(pair[0], std::move(pair[1]));
    pair.clear();
  }
  if (begin < end || !pair.empty()) ++table.skipped_;  // cut off inside an entry
  return table;
}

NameTable NameTable::from_lines(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  NameTable table;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) {
      ++table.skipped_;
      continue;
    }
    const std::string_view name = line.substr(tab + 1);
    table.add_pair(line.substr(0, tab), instance_text(std::as_bytes(std::span(name)), 65001));
  }
  return table;
}

NameTable NameTable::from_file(Bytes bytes) {
  constexpr std::size_t kLooked = 64;
  const Bytes head = bytes.first(std::min(bytes.size(), kLooked));
  if (std::ranges::find(head, std::byte{0}) == head.end())
    return from_lines({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (bytes.size() >= 2 && bytes[0] == std::byte{0xFF} && bytes[1] == std::byte{0xFE})
    bytes = bytes.subspan(2);
  return from_multi_string(bytes);
}

void NameTable::merge(const NameTable& other) {
  for (const auto& [index, text] : other.texts_) {
    if (!texts_.contains(index)) add(index, text);
  }
  skipped_ += other.skipped_;
}

std::string_view NameTable::text_of(std::uint32_t index) const {
  const auto found = texts_.find(index);
  return found == texts_.end() ? std::string_view() : found->second;
}

std::vector<std::uint32_t> NameTable::find(std::string_view text) const {
  std::vector<std::uint32_t> found;
  const auto [begin, end] = indexes_.equal_range(text);
  for (auto at = begin; at != end; ++at) found.push_back(at->second);
  std::ranges::sort(found);
  return found;
}

std::string NameTable::to_lines() const {
  std::string lines;
  for (const auto& [index, text] : texts_) lines += std::to_string(index) + "\t" + text + "\n";
  return lines;
}

std::string Names::name_of(std::uint32_t index) const {
  if (const std::string_view fixed = fixed_name(index); !fixed.empty()) return std::string(fixed);
  if (const std::string_view text = english.text_of(index); !text.empty()) return std::string(text);
  if (const std::string_view text = local.text_of(index); !text.empty()) return std::string(text);
  return "#" + std::to_string(index);
}

std::string_view Names::help_of(std::uint32_t index) const {
  const std::string_view text = english.text_of(index);
  return text.empty() ? local.text_of(index) : text;
}

bool Names::english_is_foreign() const {
  return std::ranges::any_of(kFixedNames, [&](const auto& fixed) {
    const std::string_view text = english.text_of(fixed.first);
    return !text.empty() && text != fixed.second;
  });
}

bool Names::is_called(std::uint32_t index, std::string_view text) const {
  if (text == name_of(index) || text == english.text_of(index) || text == local.text_of(index)) return true;
  return parse_index(text) == index;
}

const CounterView* find_counter(const DataBlock& block, const ObjectView& object, const Names& names,
                                std::string_view text) {
  if (text.empty()) return nullptr;
  for (const CounterView& counter : block.counters_of(object)) {
    if (names.is_called(counter.name_index, text)) return &counter;
  }
  return nullptr;
}

}  // namespace countertop::perflib
