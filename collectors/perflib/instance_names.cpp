#include "collectors/perflib/instance_names.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "collectors/perflib/name_table.hpp"
#include "collectors/perflib/wide_text.hpp"

namespace countertop::perflib {
namespace {

constexpr std::int64_t kFiletimeOf1970 = 116'444'736'000'000'000;
constexpr std::int64_t k100nsPerMillisecond = 10'000;

const CounterView* find_index(std::span<const CounterView> counters, std::uint32_t name_index) {
  const auto found = std::ranges::find(counters, name_index, &CounterView::name_index);
  return found == counters.end() ? nullptr : &*found;
}

std::int64_t value_or(const CounterView* counter, const InstanceView& instance, std::int64_t otherwise) {
  return counter == nullptr ? otherwise : read_value(*counter, instance).value_or(otherwise);
}

/// parent/name; where the parent's object is not in the block, the name alone. A nameless instance goes by
/// its unique id.
std::string full_name(const DataBlock& block, const ObjectView& object, const InstanceView& instance) {
  std::string name = instance_text(instance.name, object.code_page);
  if (name.empty() && instance.unique_id != -1) name = "#" + std::to_string(instance.unique_id);
  if (const auto parent = parent_name(block, instance)) return *parent + "/" + name;
  return name;
}

/// 0 stands for a start that is not known (System, Idle).
std::string with_start(std::string name, std::int64_t start_ms) {
  return name + "@" + std::to_string(start_ms / 1000);
}

std::vector<std::string> name_processes(const DataBlock& block, const ObjectView& object) {
  const auto counters = block.counters_of(object);
  const CounterView* const id = find_index(counters, known::kIdProcess);
  const CounterView* const elapsed = find_index(counters, known::kElapsedTime);
  std::vector<std::string> names;
  for (const InstanceView& instance : block.instances_of(object)) {
    const std::string name = instance_text(instance.name, object.code_page);
    const std::int64_t pid = value_or(id, instance, 0);
    if (pid == 0 && name != "Idle" && name != "_Total") {
      names.emplace_back();
      continue;
    }
    const std::int64_t start = pid == 0 ? 0 : unix_ms_from_filetime(value_or(elapsed, instance, 0));
    names.push_back(with_start(name + ":" + std::to_string(pid), start));
  }
  return names;
}

std::vector<std::string> name_threads(const DataBlock& block, const ObjectView& object) {
  const auto counters = block.counters_of(object);
  const CounterView* const process_id = find_index(counters, known::kIdProcess);
  const CounterView* const thread_id = find_index(counters, known::kIdThread);
  const CounterView* const elapsed = find_index(counters, known::kElapsedTime);
  std::vector<std::string> names;
  for (const InstanceView& instance : block.instances_of(object)) {
    const std::string process = parent_name(block, instance).value_or("?");
    const std::int64_t tid = value_or(thread_id, instance, 0);
    const std::int64_t pid = value_or(process_id, instance, 0);
    if (tid == 0 && process != "Idle" && process != "_Total") {
      names.emplace_back();
      continue;
    }
    // The threads of Idle, one for each CPU, all have the id 0; their names are their order.
    if (tid == 0) {
      names.push_back(process + "/" + instance_text(instance.name, object.code_page));
      continue;
    }
    const std::int64_t start = unix_ms_from_filetime(value_or(elapsed, instance, 0));
    names.push_back(with_start(process + ":" + std::to_string(pid) + "/" + std::to_string(tid), start));
  }
  return names;
}

/// Equal names become several series.
std::vector<std::string> name_others(const DataBlock& block, const ObjectView& object) {
  std::vector<std::string> names;
  std::unordered_map<std::string, int> seen;
  std::unordered_set<std::string> taken;
  for (const InstanceView& instance : block.instances_of(object)) {
    const std::string name = full_name(block, object, instance);
    int& order = seen[name];
    std::string unique = name;
    if (order > 0 && instance.unique_id != -1)
      unique = name + "#" + std::to_string(instance.unique_id);
    else if (order > 0)
      unique = name + "#" + std::to_string(order);
    while (!taken.insert(unique).second) unique = name + "#" + std::to_string(++order);
    ++order;
    names.push_back(std::move(unique));
  }
  return names;
}

}  // namespace

std::optional<std::string> parent_name(const DataBlock& block, const InstanceView& instance) {
  const InstanceView* const parent = block.find_parent(instance);
  if (parent == nullptr) return std::nullopt;
  return instance_text(parent->name, block.find_object(instance.parent_object)->code_page);
}

std::int64_t unix_ms_from_filetime(std::int64_t filetime) {
  return filetime <= kFiletimeOf1970 ? 0 : (filetime - kFiletimeOf1970) / k100nsPerMillisecond;
}

NamedInstances name_instances(const DataBlock& block, const ObjectView& object) {
  NamedInstances result;
  if (!object.instanced) {
    result.names.resize(object.instance_count);  // one, named ""
    return result;
  }
  const bool is_process = object.name_index == known::kProcess;
  const bool is_thread = object.name_index == known::kThread;
  if (!is_process && !is_thread) {
    result.names = name_others(block, object);
    return result;
  }
  result.names = is_process ? name_processes(block, object) : name_threads(block, object);
  std::unordered_set<std::string_view> taken;
  for (std::string& name : result.names) {
    if (!name.empty() && !taken.insert(name).second) name.clear();
    if (name.empty()) ++result.quarantined;
  }
  return result;
}

}  // namespace countertop::perflib
