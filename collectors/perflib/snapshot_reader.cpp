#include "collectors/perflib/snapshot_reader.hpp"

#include <algorithm>
#include <utility>

#include "collectors/perflib/instance_names.hpp"

namespace countertop::perflib {
namespace {

TimeBase time_of(const DataBlock& block, const ObjectView& object) {
  TimeBase time;
  time.wall_ms = block.wall_ms;
  time.perf_time = block.perf_time;
  time.perf_frequency = block.perf_frequency;
  time.time_100ns = block.perf_time_100ns;
  time.object_time = object.perf_time;
  time.object_frequency = std::max<std::int64_t>(object.perf_frequency, 0);
  return time;
}

void read_row(std::span<const FieldSource> fields, std::span<const CounterView> counters,
              const InstanceView& instance, std::int64_t* row) {
  for (std::size_t index = 0; index < fields.size(); ++index) {
    const CounterView& counter = counters[fields[index].counter];
    const auto value =
        fields[index].trailing_count ? read_trailing_count(counter, instance) : read_value(counter, instance);
    row[index] = value.value_or(kNoValue);
  }
}

}  // namespace

void SnapshotReader::read_object(const DataBlock& block, const ObjectView& object, const Names& names,
                                 Reading& reading) {
  Known& state = known_[object.name_index];
  const auto counters = block.counters_of(object);
  if (!state.was_read || !std::ranges::equal(state.mapping.made_of, counters)) {
    state.mapping = map_object(object, counters, names);
    reading.left_out.insert(reading.left_out.end(), state.mapping.left_out.begin(),
                            state.mapping.left_out.end());
  }
  const NamedInstances named = name_instances(block, object);
  reading.quarantined += named.quarantined;
  const auto instances = block.instances_of(object);

  std::unordered_set<std::string> present;
  std::vector<std::size_t> rows;
  std::vector<InstanceName> shown;
  for (std::size_t index = 0; index < instances.size(); ++index) {
    if (object.instanced && named.names[index].empty() &&
        (object.name_index == known::kProcess || object.name_index == known::kThread)) {
      continue;
    }
    // Only a process is known to have counted from zero when it was not there before.
    const bool is_born = object.name_index == known::kProcess && state.was_read &&
                         !state.instances.contains(named.names[index]);
    shown.push_back({named.names[index], is_born});
    rows.push_back(index);
    if (object.name_index == known::kProcess) present.insert(named.names[index]);
  }
  for (const MappedObject& part : state.mapping.objects) {
    Snapshot snapshot{part.definition, time_of(block, object), shown, {}};
    const std::size_t width = part.fields.size();
    snapshot.values.resize(rows.size() * width);
    for (std::size_t row = 0; row < rows.size(); ++row)
      read_row(part.fields, counters, instances[rows[row]], snapshot.values.data() + row * width);
    reading.snapshots.push_back(std::move(snapshot));
  }
  state.instances = std::move(present);
  state.was_read = true;
}

Reading SnapshotReader::read(const DataBlock& block, const Names& names,
                             const std::unordered_set<std::uint32_t>& wanted) {
  Reading reading;
  std::unordered_set<std::uint32_t> done;
  for (const ObjectView& object : block.objects) {
    if (!wanted.empty() && !wanted.contains(object.name_index)) continue;
    if (done.insert(object.name_index).second) read_object(block, object, names, reading);
  }
  return reading;
}

}  // namespace countertop::perflib
