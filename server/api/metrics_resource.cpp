// /metrics: newest values in the Prometheus text format or as OpenMetrics. Processes are left out: their
// names would make ever new series.
#include <cmath>
#include <map>
#include <set>

#include "server/api/metric_names.hpp"
#include "server/api/resources.hpp"
#include "server/api/value_text.hpp"
#include "server/query/counter_path.hpp"

namespace countertop::api {
namespace {

void append_family(std::string& out, const std::string& name, std::string_view help) {
  out += "# HELP " + name + " " + escape_help(help) + "\n# TYPE " + name + " gauge\n";
}

void append_sample(std::string& out, const std::string& name, std::string_view label,
                   std::string_view label_value, double value) {
  out += name;
  if (!label.empty()) out += "{" + std::string(label) + "=\"" + escape_label(label_value) + "\"}";
  out += ' ';
  append_number(out, value);
  out += '\n';
}

void append_object(std::string& out, const query::LiveTail& live, const ObjectDefinition& object,
                   std::set<std::string>& used) {
  query::CounterPath path;
  path.object = query::literal(object.name);
  if (object.instanced) path.instance = "*";
  path.counter = "*";
  const auto answer = live.latest(std::span(&path, 1));
  if (!answer) return;
  std::map<std::string_view, std::vector<const query::LatestValue*>> by_counter;
  for (const query::LatestValue& value : answer->values) {
    if (std::isfinite(value.value)) by_counter[value.counter].push_back(&value);
  }
  for (const CounterDefinition& counter : object.counters) {
    const auto found = by_counter.find(counter.name);
    if (found == by_counter.end()) continue;
    const std::string name = metric_name(object.name, counter.name, counter.unit);
    if (!used.insert(name).second) continue;
    append_family(out, name, counter.help.empty() ? counter.name : counter.help);
    for (const query::LatestValue* value : found->second)
      append_sample(out, name, object.instanced ? "instance" : "", value->instance, value->value);
  }
}

}  // namespace

Answered<Response> get_metrics(const Call& call) {
  const bool is_open =
      call.request.header("accept").find("application/openmetrics-text") != std::string_view::npos;
  std::string out;
  std::set<std::string> used;
  const ProgramStatus status = call.services.status();
  append_family(out, "countertop_build_info", "Version of the program; always 1.");
  append_sample(out, "countertop_build_info", "version", status.version, 1);
  used.insert("countertop_build_info");
  for (const ObjectHandle& object : call.services.live.objects()) {
    if (!object->grouped) append_object(out, call.services.live, *object, used);
  }
  if (is_open) out += "# EOF\n";
  Response response = make_response(200,
                                    is_open ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                            : "text/plain; version=0.0.4; charset=utf-8",
                                    std::move(out));
  response.set_header("Cache-Control", "no-store");
  response.set_header("Vary", "Accept");
  return response;
}

}  // namespace countertop::api
