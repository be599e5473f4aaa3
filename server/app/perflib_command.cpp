#include "server/app/perflib_command.hpp"

#include <span>

#include "collectors/core/counter_type.hpp"
#include "collectors/perflib/instance_names.hpp"
#include "collectors/perflib/wide_text.hpp"
#include "server/api/value_text.hpp"
#include "server/app/whole_file.hpp"

namespace countertop::app {
namespace {

/// "" where nothing is known: a program tells a missing name from one that looks like "#10".
std::string known_name(const perflib::Names& names, std::uint32_t index) {
  std::string name = shown_name(names, index);
  return name.starts_with('#') && names.english.text_of(index).empty() ? std::string() : name;
}

void append_member(std::string& json, const char* name, std::string_view text) {
  json += '"';
  json += name;
  json += "\": ";
  api::append_json_text(json, text);
}

void append_value(std::string& json, const perflib::CounterView& counter,
                  const perflib::InstanceView& instance) {
  if (counter.type == static_cast<std::uint32_t>(CounterType::text)) {
    api::append_json_text(json, perflib::instance_text(perflib::read_bytes(counter, instance), 0));
  } else if (const auto value = perflib::read_value(counter, instance)) {
    json += std::to_string(*value);
  } else {
    json += "null";
  }
}

void append_counter(std::string& json, const perflib::CounterView& counter, const perflib::Names& names) {
  json += "{\"index\": " + std::to_string(counter.name_index) + ", ";
  append_member(json, "name", known_name(names, counter.name_index));
  json += ", ";
  append_member(json, "help", names.help_of(counter.help_index));
  json += ", \"type\": " + std::to_string(counter.type) + ", \"size\": " + std::to_string(counter.size) + "}";
}

void append_instance(std::string& json, const perflib::DataBlock& block, const perflib::ObjectView& object,
                     const perflib::InstanceView& instance) {
  json += "{";
  append_member(json, "name", perflib::instance_text(instance.name, object.code_page));
  json += ", \"parent\": ";
  if (const auto parent = perflib::parent_name(block, instance)) {
    api::append_json_text(json, *parent);
  } else {
    json += "null";
  }
  json += ", \"unique_id\": " + std::to_string(instance.unique_id) + ", \"values\": [";
  const char* separator = "";
  for (const auto& counter : block.counters_of(object)) {
    json += separator;
    append_value(json, counter, instance);
    separator = ", ";
  }
  json += "]}";
}

/// One element a line, so that people and diff can read it.
template <typename Range, typename Append>
void append_array(std::string& json, const char* name, const char* indent, const Range& range,
                  Append append) {
  json += std::string(indent) + "\"" + name + "\": [";
  const char* separator = "\n";
  for (const auto& one : range) {
    json += separator;
    json += indent;
    json += "  ";
    append(one);
    separator = ",\n";
  }
  if (!range.empty()) json += std::string("\n") + indent;
  json += "]";
}

}  // namespace

std::string shown_name(const perflib::Names& names, std::uint32_t index) {
  const std::string_view text = names.english.text_of(index);
  return text.empty() ? names.name_of(index) : std::string(text);
}

std::string perflib_json(const perflib::DataBlock& block, const perflib::Names& names) {
  std::string json = "{\n";
  append_array(json, "objects", "  ", block.objects, [&](const perflib::ObjectView& object) {
    json += "{\"index\": " + std::to_string(object.name_index) + ", ";
    append_member(json, "name", known_name(names, object.name_index));
    json += ", ";
    append_member(json, "help", names.help_of(object.help_index));
    json += ",\n";
    append_array(json, "counters", "      ", block.counters_of(object),
                 [&](const perflib::CounterView& counter) { append_counter(json, counter, names); });
    json += ",\n";
    append_array(
        json, "instances", "      ", block.instances_of(object),
        [&](const perflib::InstanceView& instance) { append_instance(json, block, object, instance); });
    json += "}";
  });
  json += ",\n";
  append_array(json, "dropped", "  ", block.dropped, [&](const perflib::Dropped& dropped) {
    json += "{\"offset\": " + std::to_string(dropped.offset) + ", ";
    append_member(json, "reason", dropped.reason);
    json += "}";
  });
  return json + "\n}\n";
}

Result<std::string> decode_perflib_file(const std::filesystem::path& file,
                                        const std::filesystem::path& names_file, bool as_json) {
  const auto bytes = read_whole_file(file);
  if (!bytes) return tl::unexpected<Error>(bytes.error());
  perflib::Names names;
  if (!names_file.empty()) {
    const auto text = read_whole_file(names_file);
    if (!text) return tl::unexpected<Error>(text.error());
    names.english = perflib::NameTable::from_file(std::as_bytes(std::span(*text)));
  }
  perflib::DataBlock block;
  if (auto parsed = perflib::parse_data_block(std::as_bytes(std::span(*bytes)), block); !parsed) {
    Error error = parsed.error();
    error.message = file.string() + ": " + error.message;
    return tl::unexpected<Error>(error);
  }
  return as_json ? perflib_json(block, names) : perflib_text(block, names);
}

}  // namespace countertop::app
