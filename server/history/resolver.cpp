#include "server/history/resolver.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "server/query/counter_path.hpp"
#include "server/query/suggest.hpp"

namespace countertop::history {

namespace {

using query::CounterPath;

class Resolver {
 public:
  Resolver(Catalog& catalog, const query::Request& request) : catalog_(catalog), request_(request) {}

  Result<QueryPlan> run();

 private:
  struct Target {
    std::int64_t host = 0;
    std::string host_text;  // as it stands in the path
    const ObjectVersion* version = nullptr;
  };
  Result<void> add_path(const CounterPath& path);
  Result<void> add_object(const CounterPath& path, std::int64_t host,
                          const std::vector<ObjectVersion>& versions);
  Result<void> add_version(const CounterPath& path, const Target& target, bool& any_instance);
  Result<void> use(const Target& target, const CounterDefinition& counter, const std::string& instance,
                   const std::vector<InstanceRecord>& members, bool is_sum, bool is_exact);
  Result<void> add_exact(const CounterPath& path, const Target& target,
                         const std::vector<const CounterDefinition*>& counters, const std::string& name,
                         bool& any_instance);
  Result<std::size_t> series_for(const Target& target, const CounterDefinition& counter,
                                 const std::string& instance, bool is_sum, bool is_exact);
  ObjectPlan& object_for(const Target& target);

  Catalog& catalog_;
  const query::Request& request_;
  QueryPlan plan_;
  std::map<std::pair<std::string, bool>, std::size_t> series_;             // by path and whether it is a sum
  std::map<std::pair<std::int64_t, std::uint32_t>, std::size_t> objects_;  // by host and object id
  std::map<std::size_t, std::unordered_map<std::uint32_t, std::size_t>>
      places_;  // object -> instance -> place
};

std::string quoted(const std::string& text) { return "'" + text + "'"; }

/// "object 'cpv' is not known: did you mean 'cpu'?"
Error unknown(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
  const auto near = query::nearest_names(name, std::span<const std::string>(known));
  std::string message = what + " " + quoted(name) + " is not known";
  if (!near.empty()) message += ": " + query::did_you_mean(near);
  return Error{ErrorCode::not_found, message, "", 0};
}

Result<QueryPlan> Resolver::run() {
  for (const CounterPath& path : request_.series) {
    if (const auto added = add_path(path); !added) return tl::unexpected<Error>(added.error());
  }
  for (ObjectPlan& object : plan_.objects) {
    std::set<std::uint16_t> fields;
    for (const auto& cook : object.cooks) fields.insert(cook->fields().begin(), cook->fields().end());
    object.fields.assign(fields.begin(), fields.end());
    auto clocks = catalog_.clocks(object.host, object.id);
    if (!clocks) return tl::unexpected<Error>(clocks.error());
    object.clocks = std::move(*clocks);
    std::vector<std::size_t> members(plan_.series.size());
    for (const InstancePlan& instance : object.instances)
      for (const SeriesUse& one : instance.uses) ++members[one.series];
    for (InstancePlan& instance : object.instances)
      for (SeriesUse& one : instance.uses) one.is_shared = members[one.series] > 1;
  }
  return std::move(plan_);
}

Result<void> Resolver::add_path(const CounterPath& path) {
  const auto host = catalog_.host(path.host);
  if (!host) return tl::unexpected<Error>(host.error());
  if (!host->has_value()) {
    if (path.host.empty()) return fail(ErrorCode::not_found, "nothing was recorded yet");
    return fail(ErrorCode::not_found, "nothing is recorded from host " + quoted(path.host));
  }
  bool any = false;
  std::vector<std::string> names;
  for (const auto& [name, versions] : catalog_.objects()) {
    names.push_back(name);
    if (!query::matches(path.object, name)) continue;
    any = true;
    if (const auto added = add_object(path, **host, versions); !added) return added;
  }
  if (any) return {};
  return tl::unexpected<Error>(
      unknown("object", query::exact_name(path.object).value_or(path.object), names));
}

Result<void> Resolver::add_object(const CounterPath& path, std::int64_t host,
                                  const std::vector<ObjectVersion>& versions) {
  const ObjectDefinition& newest = *versions.back().definition;
  if (newest.instanced && !path.instance && !query::has_wildcard(path.object))
    return fail(ErrorCode::invalid_argument,
                "object " + quoted(newest.name) + " has instances, and none is named",
                "Write " + newest.name + "(*)/... for all of them.");
  if (!newest.instanced && path.instance && !path.instance->empty() && !query::matches(*path.instance, ""))
    return fail(ErrorCode::not_found, "object " + quoted(newest.name) + " has no instances",
                "Write " + newest.name + "/... without parentheses.");
  bool any_counter = false;
  std::vector<std::string> names;
  bool any_instance = false;
  const std::size_t series_before = plan_.series.size();
  for (const ObjectVersion& version : versions) {
    for (const CounterDefinition& counter : version.definition->counters) {
      names.push_back(counter.name);
      any_counter = any_counter || query::matches(path.counter, counter.name);
    }
    if (const auto added = add_version(path, Target{host, path.host, &version}, any_instance); !added)
      return added;
  }
  if (!any_counter && !query::has_wildcard(path.object))
    return tl::unexpected<Error>(
        unknown("counter", query::exact_name(path.counter).value_or(path.counter), names));
  if (any_counter && !any_instance && plan_.series.size() == series_before && path.instance)
    plan_.warnings.push_back("no instance of " + newest.name + " matches " + quoted(*path.instance) +
                             " in this time range");
  return {};
}

Result<void> Resolver::add_version(const CounterPath& path, const Target& target, bool& any_instance) {
  const ObjectDefinition& definition = *target.version->definition;
  std::vector<const CounterDefinition*> counters;
  for (const CounterDefinition& counter : definition.counters) {
    const auto type = describe(counter.type);
    if (!type || type->formula == Formula::none) continue;  // bases and labels are no values
    if (query::matches(path.counter, counter.name)) counters.push_back(&counter);
  }
  if (counters.empty()) return {};
  const std::string pattern = definition.instanced ? path.instance.value_or("*") : std::string();
  if (const auto name = query::exact_name(pattern))
    return add_exact(path, target, counters, *name, any_instance);
  auto alive = catalog_.alive(target.host, target.version->id, request_.range);
  if (!alive) return tl::unexpected<Error>(alive.error());
  for (const InstanceRecord& instance : *alive) {
    if (!query::matches(pattern, instance.name)) continue;
    any_instance = true;
    for (const CounterDefinition* counter : counters) {
      if (const auto used = use(target, *counter, instance.name, {instance}, false, false); !used)
        return used;
    }
  }
  return {};
}

Result<void> Resolver::add_exact(const CounterPath& path, const Target& target,
                                 const std::vector<const CounterDefinition*>& counters,
                                 const std::string& name, bool& any_instance) {
  const ObjectDefinition& definition = *target.version->definition;
  auto members = catalog_.exact(target.host, target.version->id, name);
  if (!members) return tl::unexpected<Error>(members.error());
  bool is_sum = false;
  if (members->empty() && definition.grouped) {
    members = catalog_.group(target.host, target.version->id, name, request_.range);
    if (!members) return tl::unexpected<Error>(members.error());
    is_sum = !members->empty();
  }
  any_instance = any_instance || !members->empty();
  const bool is_exact = !query::has_wildcard(path.counter) && !query::has_wildcard(path.object);
  for (const CounterDefinition* counter : counters) {
    if (const auto used = use(target, *counter, name, *members, is_sum, is_exact); !used) return used;
  }
  return {};
}

ObjectPlan& Resolver::object_for(const Target& target) {
  const auto [place, is_new] = objects_.try_emplace({target.host, target.version->id}, plan_.objects.size());
  if (is_new) {
    ObjectPlan object;
    object.id = target.version->id;
    object.host = target.host;
    object.definition = target.version->definition;
    plan_.objects.push_back(std::move(object));
  }
  return plan_.objects[place->second];
}

Result<std::size_t> Resolver::series_for(const Target& target, const CounterDefinition& counter,
                                         const std::string& instance, bool is_sum, bool is_exact) {
  const ObjectDefinition& definition = *target.version->definition;
  const std::string path = query::make_path(definition, instance, counter.name, target.host_text);
  const auto [place, is_new] = series_.try_emplace({path, false}, plan_.series.size());
  if (is_new) {
    if (plan_.series.size() >= request_.max_series)
      return fail(ErrorCode::too_large, "more than " + std::to_string(request_.max_series) + " series match",
                  "Name instances or counters more narrowly.");
    SeriesPlan series;
    series.header.path = path;
    series.header.host = target.host_text;
    series.header.object = definition.name;
    series.header.instance = instance;
    series.header.counter = counter.name;
    plan_.series.push_back(std::move(series));
  }
  SeriesPlan& series = plan_.series[place->second];
  series.header.unit = counter.unit;  // of the newest definition: versions come oldest first
  series.header.type = counter.type;
  series.is_sum = series.is_sum || is_sum;
  series.is_exact = series.is_exact || is_exact;
  return place->second;
}

Result<void> Resolver::use(const Target& target, const CounterDefinition& counter,
                           const std::string& instance, const std::vector<InstanceRecord>& members,
                           bool is_sum, bool is_exact) {
  const auto series = series_for(target, counter, instance, is_sum, is_exact);
  if (!series) return tl::unexpected<Error>(series.error());
  if (members.empty()) return {};
  ObjectPlan& object = object_for(target);
  const auto known =
      std::ranges::find_if(object.cooks, [&](const auto& cook) { return &cook->counter() == &counter; });
  const auto cook = static_cast<std::size_t>(known - object.cooks.begin());
  if (known == object.cooks.end())
    object.cooks.push_back(std::make_unique<ColumnCook>(*object.definition, counter));
  auto& places = places_[objects_.at({target.host, target.version->id})];
  for (const InstanceRecord& member : members) {
    const auto [place, is_new] = places.try_emplace(member.id, object.instances.size());
    if (is_new) {
      InstancePlan one;
      one.id = member.id;
      one.first_ms = member.first_ms;
      one.last_ms = member.last_ms;
      one.from_zero = member.from_zero;
      object.instances.push_back(std::move(one));
    }
    std::vector<SeriesUse>& uses = object.instances[place->second].uses;
    const bool is_used = std::ranges::any_of(uses, [&](const SeriesUse& u) { return u.series == *series; });
    if (is_used) continue;  // the same path was asked for twice
    uses.push_back(SeriesUse{*series, cook, false});
  }
  return {};
}

}  // namespace

Result<QueryPlan> resolve(Catalog& catalog, const query::Request& request) {
  return Resolver(catalog, request).run();
}

}  // namespace countertop::history
