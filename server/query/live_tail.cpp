#include "server/query/live_tail.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "server/query/counter_path.hpp"
#include "server/query/latest_values.hpp"
#include "server/query/suggest.hpp"

namespace countertop::query {
namespace {

std::string not_there(const std::string& path) { return path + ": there is no such instance now"; }

tl::unexpected<Error> unknown(const std::string& what, const std::string& wanted,
                              std::span<const std::string_view> known, const std::string& list) {
  std::string message = "there is no " + what + " '" + wanted + "'";
  const std::vector<std::string> near = nearest_names(wanted, known);
  if (!near.empty()) message += ", " + did_you_mean(near);
  return fail(ErrorCode::not_found, message, "see " + list);
}

bool is_shown(const CounterDefinition& counter) {
  const CounterTypeDescription* const type = find_description(counter.type);
  return type != nullptr && type->formula != Formula::none;
}

/// The counters a path asks for.
Result<std::vector<const CounterDefinition*>> find_counters(const ObjectDefinition& object,
                                                            const CounterPath& path) {
  std::vector<const CounterDefinition*> found;
  for (const CounterDefinition& counter : object.counters) {
    if (is_shown(counter) && matches(path.counter, counter.name)) found.push_back(&counter);
  }
  if (!found.empty() || has_wildcard(path.object)) return found;
  std::vector<std::string_view> known;
  for (const CounterDefinition& counter : object.counters) known.push_back(counter.name);
  return unknown("counter of '" + object.name + "' called", exact_name(path.counter).value_or(path.counter),
                 known, "/api/v1/objects/" + object.name);
}

/// Rows of the newest snapshot that an instance pattern asks for.
struct Selection {
  std::vector<std::size_t> rows;
  bool is_group = false;  // the rows are summed
};

Selection select_rows(const Snapshot& snapshot, const std::string& pattern) {
  Selection selection;
  for (std::size_t row = 0; row < snapshot.instances.size(); ++row) {
    if (matches(pattern, snapshot.instances[row].name)) selection.rows.push_back(row);
  }
  const auto name = exact_name(pattern);
  if (!selection.rows.empty() || !name || !snapshot.object->grouped) return selection;
  for (std::size_t row = 0; row < snapshot.instances.size(); ++row) {
    const std::string& instance = snapshot.instances[row].name;
    const std::string_view group = group_of(instance);
    if (group.size() < instance.size() && group == *name) selection.rows.push_back(row);
  }
  selection.is_group = !selection.rows.empty();
  return selection;
}

/// Gathers the answer to one call of latest().
class Builder {
 public:
  explicit Builder(const LatestOptions& options) : options_(options) {}

  Result<void> add(const Snapshot* older, const Snapshot& newer, const CounterPath& path) {
    const ObjectDefinition& object = *newer.object;
    auto counters = find_counters(object, path);
    if (!counters) return tl::unexpected(std::move(counters.error()));
    if (object.instanced && !path.instance) {
      if (has_wildcard(path.object)) return {};
      return fail(ErrorCode::invalid_argument, "'" + object.name + "' has instances, and the path names none",
                  "write " + object.name + "(*)/" + path.counter + " for all of them");
    }
    const Selection selection = select_rows(newer, path.instance.value_or(""));
    LatestValues source(older, newer);
    answer_.time_ms = std::max(answer_.time_ms, newer.time.wall_ms);
    if (selection.is_group) {
      for (const CounterDefinition* counter : *counters)
        add_group(source, newer, selection.rows, *counter, path);
    } else {
      for (const std::size_t row : selection.rows) {
        for (const CounterDefinition* counter : *counters) add_row(source, newer, row, *counter);
      }
    }
    if (selection.rows.empty()) {
      for (const CounterDefinition* counter : *counters) add_missing(newer, *counter, path);
    }
    if (answer_.values.size() > options_.max_values) {
      return fail(ErrorCode::too_large, "more than " + std::to_string(options_.max_values) + " values",
                  "ask for fewer instances or counters");
    }
    return {};
  }

  LatestAnswer take(std::uint64_t sequence) {
    answer_.sequence = sequence;
    return std::move(answer_);
  }

 private:
  /// Null when this path is in the answer already.
  LatestValue* add_value(const Snapshot& newer, const std::string& instance,
                         const CounterDefinition& counter) {
    std::string path = make_path(*newer.object, instance, counter.name);
    if (!seen_.insert(path).second) return nullptr;
    LatestValue value;
    value.path = std::move(path);
    value.object = newer.object->name;
    value.instance = instance;
    value.counter = counter.name;
    value.unit = counter.unit;
    value.type = counter.type;
    value.time_ms = newer.time.wall_ms;
    if (options_.with_raw) value.formula = formula_text(counter);
    answer_.values.push_back(std::move(value));
    return &answer_.values.back();
  }

  static void set(LatestValue& value, const Cooked& cooked) {
    value.value = cooked.has_value() ? cooked.value : std::nan("");
    value.absence = cooked.absence;
  }

  void add_row(LatestValues& source, const Snapshot& newer, std::size_t row,
               const CounterDefinition& counter) {
    LatestValue* const value = add_value(newer, newer.instances[row].name, counter);
    if (value == nullptr) return;
    set(*value, source.value(row, counter));
    if (options_.with_raw) value->raw = source.raw(row, counter);
  }

  void add_group(LatestValues& source, const Snapshot& newer, std::span<const std::size_t> rows,
                 const CounterDefinition& counter, const CounterPath& path) {
    LatestValue* const value = add_value(newer, exact_name(*path.instance).value_or(*path.instance), counter);
    if (value == nullptr) return;
    set(*value, source.sum(rows, counter));
    if (options_.with_raw) value->raw = source.raw_of_sum(rows, counter);
  }

  void add_missing(const Snapshot& newer, const CounterDefinition& counter, const CounterPath& path) {
    if (has_wildcard(path.object)) return;
    const auto name = exact_name(path.instance.value_or(""));
    if (!name) return;
    LatestValue* const value = add_value(newer, *name, counter);
    if (value == nullptr) return;
    set(*value, {0, Absence::not_readable});
    answer_.warnings.push_back(not_there(value->path));
  }

  LatestOptions options_;
  LatestAnswer answer_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

void LiveTail::publish(std::span<const Snapshot> snapshots) {
  publish(std::vector<Snapshot>(snapshots.begin(), snapshots.end()));
}

void LiveTail::publish(std::vector<Snapshot>&& snapshots) {
  std::vector<std::shared_ptr<const Snapshot>> fresh;
  for (Snapshot& snapshot : snapshots) {
    if (snapshot.object != nullptr) fresh.push_back(std::make_shared<const Snapshot>(std::move(snapshot)));
  }
  if (fresh.empty()) return;
  std::vector<std::shared_ptr<const Snapshot>> outdated;  // let go outside the lock
  {
    const std::lock_guard lock(mutex_);
    for (auto& snapshot : fresh) {
      const std::string& name = snapshot->object->name;
      const auto at = std::ranges::lower_bound(
          objects_, name, {}, [](const Pair& p) -> const std::string& { return p.newer->object->name; });
      if (at == objects_.end() || at->newer->object->name != name) {
        if (objects_.size() < kMaxObjects) objects_.insert(at, Pair{nullptr, std::move(snapshot)});
        continue;
      }
      outdated.push_back(std::move(at->older));
      at->older = std::exchange(at->newer, std::move(snapshot));
    }
    ++sequence_;
  }
  published_.notify_all();
}

std::uint64_t LiveTail::sequence() const {
  const std::lock_guard lock(mutex_);
  return sequence_;
}

std::optional<std::uint64_t> LiveTail::wait_newer(std::uint64_t sequence, std::chrono::milliseconds timeout,
                                                  const std::stop_token& stop) const {
  std::unique_lock lock(mutex_);
  if (!published_.wait_for(lock, stop, timeout, [&] { return sequence_ > sequence; })) return std::nullopt;
  return sequence_;
}

std::optional<LiveTail::Pair> LiveTail::find(std::string_view object) const {
  const std::lock_guard lock(mutex_);
  for (const Pair& pair : objects_) {
    if (pair.newer->object->name == object) return pair;
  }
  return std::nullopt;
}

std::vector<LiveTail::Pair> LiveTail::all() const {
  const std::lock_guard lock(mutex_);
  return objects_;
}

Result<LatestAnswer> LiveTail::latest(std::span<const CounterPath> paths,
                                      const LatestOptions& options) const {
  // The sequence is read first: what is published in between makes the caller ask once more, never miss a
  // value.
  const std::uint64_t now = sequence();
  const std::vector<Pair> pairs = all();
  Builder builder(options);
  for (const CounterPath& path : paths) {
    bool found = false;
    for (const Pair& pair : pairs) {
      if (!matches(path.object, pair.newer->object->name)) continue;
      found = true;
      if (auto added = builder.add(pair.older.get(), *pair.newer, path); !added)
        return tl::unexpected(added.error());
    }
    if (found) continue;
    std::vector<std::string_view> known;
    for (const Pair& pair : pairs) known.push_back(pair.newer->object->name);
    return unknown("object", path.object, known, "/api/v1/objects");
  }
  return builder.take(now);
}

std::vector<ObjectHandle> LiveTail::objects() const {
  std::vector<ObjectHandle> handles;
  for (const Pair& pair : all()) handles.push_back(pair.newer->object);
  return handles;
}

std::vector<std::string> LiveTail::instances(std::string_view object) const {
  std::vector<std::string> names;
  const auto pair = find(object);
  if (!pair) return names;
  for (const InstanceName& instance : pair->newer->instances) names.push_back(instance.name);
  return names;
}

std::shared_ptr<const Snapshot> LiveTail::newest(std::string_view object) const {
  const auto pair = find(object);
  return pair ? pair->newer : nullptr;
}

ProcessTable LiveTail::processes() const {
  ProcessTable table;
  const auto pair = find("process");
  if (!pair) return table;
  const Snapshot& newer = *pair->newer;
  LatestValues source(pair->older.get(), newer);
  table.time_ms = newer.time.wall_ms;
  for (const CounterDefinition& counter : newer.object->counters) {
    table.counters.push_back(counter.name);
    table.units.push_back(counter.unit);
  }
  for (std::size_t row = 0; row < newer.instances.size(); ++row) {
    const auto process = parse_process_instance(newer.instances[row].name);
    if (!process) continue;
    ProcessRow out{std::string(process->name), process->pid, process->start_s, {}, false};
    for (const CounterDefinition& counter : newer.object->counters) {
      const Cooked cooked = source.value(row, counter);
      out.values.push_back(cooked.has_value() ? cooked.value : std::nan(""));
    }
    table.rows.push_back(std::move(out));
  }
  return table;
}

}  // namespace countertop::query
