// /api/v1/objects, /objects/{object}, /objects/{object}/instances: what is recorded.
#include <algorithm>
#include <map>
#include <set>

#include "collectors/core/cook.hpp"
#include "server/api/paging.hpp"
#include "server/api/resources.hpp"
#include "server/api/value_text.hpp"
#include "server/query/counter_path.hpp"
#include "server/query/suggest.hpp"

namespace countertop::api {
namespace {

struct KnownObject {
  ObjectHandle definition;
  std::size_t instances = 0;
  bool is_live = false;
};

/// Those that are read now, and those that only the history knows.
Answered<std::map<std::string, KnownObject>> known_objects(const Services& services) {
  std::map<std::string, KnownObject> known;
  const auto stored = services.history.objects();
  if (!stored && services.live.sequence() == 0) return tl::unexpected(problem_from(stored.error()));
  if (stored) {
    for (const history::ObjectInfo& info : *stored)
      known[info.definition->name] = {info.definition, info.instances, false};
  }
  for (const ObjectHandle& object : services.live.objects())
    known[object->name] = {object, services.live.instances(object->name).size(), true};
  return known;
}

Answered<KnownObject> find_object(const Services& services, const std::string& name) {
  if (const auto newest = services.live.newest(name))
    return KnownObject{newest->object, newest->instances.size(), true};
  const auto known = known_objects(services);
  if (!known) return tl::unexpected(known.error());
  if (const auto found = known->find(name); found != known->end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [one, object] : *known) names.push_back(one);
  const auto near = query::nearest_names(name, names);
  return tl::unexpected(Problem{404,
                                "unknown-object",
                                "There is no such object",
                                "No object is called '" + shown(name) + "'.",
                                near.empty() ? "GET /api/v1/objects lists them." : query::did_you_mean(near),
                                {},
                                0});
}

std::string example_path(const KnownObject& object) {
  const ObjectDefinition& definition = *object.definition;
  if (definition.counters.empty()) return {};
  return query::make_path(definition, definition.instanced ? "total" : "", definition.counters.front().name);
}

Table counter_table(const ObjectDefinition& object) {
  Table table;
  table.columns = {{"name"}, {"help"}, {"unit"}, {"type"}, {"formula"}};
  for (const CounterDefinition& counter : object.counters) {
    const auto* const type = find_description(counter.type);
    table.rows.push_back({counter.name, counter.help, counter.unit,
                          std::string(type != nullptr ? type->name : std::string_view("unknown")),
                          formula_text(counter)});
  }
  return table;
}

Cell moment_or_nothing(std::int64_t unix_ms) { return unix_ms == 0 ? Cell() : Cell(Moment{unix_ms}); }

}  // namespace

Answered<Response> get_objects(const Call& call) {
  const auto known = known_objects(call.services);
  if (!known) return tl::unexpected(known.error());
  Table table;
  table.columns = {{"name"}, {"help"}, {"instanced"}, {"instances"}, {"counters"}, {"live"}, {"example"}};
  for (const auto& [name, object] : *known) {
    table.rows.push_back({name, object.definition->help, object.definition->instanced,
                          static_cast<std::int64_t>(object.instances),
                          static_cast<std::int64_t>(object.definition->counters.size()), object.is_live,
                          example_path(object)});
  }
  return table_response(call, table, "objects");
}

Answered<Response> get_object(const Call& call) {
  const auto object = find_object(call.services, call.captures.front());
  if (!object) return tl::unexpected(object.error());
  const ObjectDefinition& definition = *object->definition;
  const Table table = counter_table(definition);
  if (call.presentation.format != Format::json) return table_response(call, table, "counters");
  std::string body = "{\"name\":";
  append_json_text(body, definition.name);
  body += ",\"help\":";
  append_json_text(body, definition.help);
  body += std::string(",\"instanced\":") + (definition.instanced ? "true" : "false");
  body += std::string(",\"grouped\":") + (definition.grouped ? "true" : "false");
  body += ",\"instances\":" + std::to_string(object->instances);
  body += ",\"counters\":" + table_text(table, call.presentation);
  return json_response(body + "}\n");
}

Answered<Response> get_instances(const Call& call) {
  const auto object = find_object(call.services, call.captures.front());
  if (!object) return tl::unexpected(object.error());
  const auto range = read_range(call);
  if (!range) return tl::unexpected(range.error());
  const auto page = read_page(call);
  if (!page) return tl::unexpected(page.error());

  std::map<std::string, history::InstanceInfo> all;
  const auto stored = call.services.history.instances(object->definition->name, *range);
  if (!stored && stored.error().code != ErrorCode::not_found)
    return tl::unexpected(problem_from(stored.error()));
  if (stored) {
    for (const history::InstanceInfo& info : *stored) all[info.name] = info;
  }
  std::set<std::string> live;
  const auto newest = call.services.live.newest(object->definition->name);
  if (newest && newest->time.wall_ms >= range->from_ms && newest->time.wall_ms < range->to_ms + 2000) {
    for (const InstanceName& instance : newest->instances) {
      live.insert(instance.name);
      history::InstanceInfo& info = all[instance.name];
      info.name = instance.name;
      info.last_ms = std::max(info.last_ms, newest->time.wall_ms);
    }
  }
  Table table;
  table.columns = {{"name"}, {"first"}, {"last"}, {"live"}};
  for (const auto& [name, info] : all)
    table.rows.push_back(
        {name, moment_or_nothing(info.first_ms), moment_or_nothing(info.last_ms), live.contains(name)});
  return page_response(call, *page, std::move(table), "instances");
}

}  // namespace countertop::api
