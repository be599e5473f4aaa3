// The block for people: each object with its counters, then its instances with their raw values.
#include <algorithm>
#include <array>
#include <cstdio>

#include "collectors/core/counter_type.hpp"
#include "collectors/perflib/instance_names.hpp"
#include "collectors/perflib/wide_text.hpp"
#include "server/app/perflib_command.hpp"
#include "server/query/time_zone.hpp"

namespace countertop::app {
namespace {

constexpr std::size_t kTextWidth = 100;

/// Letters as a terminal counts them, for all that is no wide or combining letter.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t used = width_of(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

void append_wrapped(std::string& out, std::string_view text, std::string_view indent) {
  std::string line;
  const auto flush = [&] {
    if (!line.empty()) out += std::string(indent) + line + "\n";
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && width_of(line) + 1 + width_of(word) > kTextWidth - indent.size()) flush();
    if (!line.empty() && !word.empty()) line += ' ';
    line += word;
  }
  flush();
}

std::string type_text(std::uint32_t type) {
  if (const auto* description = find_description(CounterType{type})) return std::string(description->name);
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "type 0x%08X", type);
  return text.data();
}

std::string count_text(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string value_text(const perflib::CounterView& counter, const perflib::InstanceView& instance) {
  if (counter.type == static_cast<std::uint32_t>(CounterType::text))
    return perflib::instance_text(perflib::read_bytes(counter, instance), 0);
  if (counter.type == static_cast<std::uint32_t>(CounterType::no_data)) return "";
  const auto value = perflib::read_value(counter, instance);
  return value ? std::to_string(*value) : "not readable";
}

struct Column {
  std::string name;
  const perflib::CounterView* counter;
};

void append_object(std::string& out, const perflib::DataBlock& block, const perflib::ObjectView& object,
                   const perflib::Names& names) {
  const auto instances = block.instances_of(object);
  out += "\n" + shown_name(names, object.name_index) + "  (index " + std::to_string(object.name_index) +
         ", " + count_text(object.counter_count, "counter") +
         (object.instanced ? ", " + count_text(instances.size(), "instance") : ", no instances") + ")\n";
  append_wrapped(out, names.help_of(object.help_index), "  ");

  std::vector<Column> columns;
  std::size_t widest = 0;
  for (const auto& counter : block.counters_of(object)) {
    columns.push_back({shown_name(names, counter.name_index), &counter});
    widest = std::max(widest, width_of(columns.back().name));
  }
  for (const Column& column : columns) {
    out += "  " + padded(std::to_string(column.counter->name_index), 6) + padded(column.name, widest) + "  " +
           padded(type_text(column.counter->type), 36) + std::to_string(column.counter->size) + " bytes\n";
    append_wrapped(out, names.help_of(column.counter->help_index), "          ");
  }
  for (const auto& instance : instances) {
    if (object.instanced) {
      std::string name = perflib::instance_text(instance.name, object.code_page);
      out += "  [" + (name.empty() ? "no name" : name) + "]";
      if (const auto parent = perflib::parent_name(block, instance)) out += "  of " + *parent;
      if (instance.unique_id != -1) out += "  unique id " + std::to_string(instance.unique_id);
      out += "\n";
    } else {
      out += "  values\n";
    }
    for (const Column& column : columns)
      out += "    " + padded(column.name, widest + 2) + value_text(*column.counter, instance) + "\n";
  }
}

}  // namespace

std::string perflib_text(const perflib::DataBlock& block, const perflib::Names& names) {
  const std::string machine = perflib::instance_text(block.system_name, 0);
  std::string out = "Performance data of " + (machine.empty() ? "an unnamed machine" : machine);
  if (block.wall_ms != 0) out += ", " + query::format_rfc3339(block.wall_ms, query::TimeZone::utc());
  out += "\n" + count_text(block.objects.size(), "object") + ", " +
         count_text(block.counters.size(), "counter") + ", " + count_text(block.instances.size(), "row") +
         "; clock of " + std::to_string(block.perf_frequency) + " ticks per second\n";
  if (names.english_is_foreign()) out += "The name table holds another language than English.\n";
  for (const auto& object : block.objects) append_object(out, block, object, names);
  if (!block.dropped.empty()) out += "\nLeft out, because it breaks the format:\n";
  for (const auto& dropped : block.dropped)
    out += "  at byte " + std::to_string(dropped.offset) + ": " + dropped.reason + "\n";
  return out;
}

}  // namespace countertop::app
