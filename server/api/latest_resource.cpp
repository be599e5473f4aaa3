// /api/v1/latest: the newest values, out of memory.
#include <cmath>

#include "server/api/answer_text.hpp"
#include "server/api/caching.hpp"
#include "server/api/resources.hpp"
#include "server/api/value_text.hpp"
#include "server/query/counter_path.hpp"

namespace countertop::api {
namespace {

/// Everything but the objects with an instance for each process: what somebody wants who asks for nothing
/// special.
std::vector<query::CounterPath> paths_of_machine(const query::LiveTail& live) {
  std::vector<query::CounterPath> paths;
  for (const ObjectHandle& object : live.objects()) {
    if (object->grouped) continue;
    query::CounterPath path;
    path.object = query::literal(object->name);
    if (object->instanced) path.instance = "*";
    path.counter = "*";
    paths.push_back(std::move(path));
  }
  return paths;
}

std::string latest_json(const query::LatestAnswer& answer, const Presentation& presentation, bool with_raw) {
  std::string out = "{\"time\":";
  answer.time_ms == 0 ? void(out += "null") : append_json_time(out, answer.time_ms, presentation);
  out += ",\"series\":[";
  for (std::size_t i = 0; i < answer.values.size(); ++i) {
    const query::LatestValue& value = answer.values[i];
    if (i > 0) out += ',';
    out += "{\"path\":";
    append_json_text(out, value.path);
    out += ",\"value\":";
    append_json_number(out, value.value);
    out += ",\"unit\":";
    append_json_text(out, value.unit);
    out += ",\"time\":";
    value.time_ms == 0 ? void(out += "null") : append_json_time(out, value.time_ms, presentation);
    if (value.absence != Absence::none) {
      out += ",\"reason\":";
      append_json_text(out, to_string(value.absence));
    }
    if (with_raw && value.raw) out += ",\"raw\":" + raw_json(*value.raw, value.formula);
    out += '}';
  }
  out += "],\"warnings\":[";
  for (std::size_t i = 0; i < answer.warnings.size(); ++i) {
    if (i > 0) out += ',';
    append_json_text(out, answer.warnings[i]);
  }
  return out + "]}\n";
}

Table latest_table(const query::LatestAnswer& answer) {
  Table table;
  table.columns = {{"time"}, {"path"}, {"value"}, {"unit"}, {"reason"}};
  for (const query::LatestValue& value : answer.values) {
    const bool is_absent = value.absence != Absence::none;
    table.rows.push_back({value.time_ms == 0 ? Cell() : Cell(Moment{value.time_ms}), value.path, value.value,
                          value.unit, is_absent ? Cell(std::string(to_string(value.absence))) : Cell()});
  }
  return table;
}

}  // namespace

Answered<Response> get_latest(const Call& call) {
  const query::LiveTail& live = call.services.live;
  const auto with_raw = call.parameters.flag("raw", false);
  if (!with_raw) return tl::unexpected(with_raw.error());
  std::vector<query::CounterPath> paths;
  if (call.parameters.text("series")) {
    auto given = read_series(call);
    if (!given) return tl::unexpected(given.error());
    paths = *std::move(given);
  } else {
    paths = paths_of_machine(live);
  }
  if (live.sequence() == 0) {
    return tl::unexpected(Problem{503,
                                  "no-reading-yet",
                                  "The first reading is not there yet",
                                  "The program has just started.",
                                  "Ask again in a second.",
                                  {},
                                  1});
  }
  const auto answer = live.latest(paths, {*with_raw});
  if (!answer) return tl::unexpected(problem_from(answer.error(), "series"));
  Response response = make_response(200, content_type(call.presentation.format), {});
  if (call.presentation.format == Format::json) {
    response.body = latest_json(*answer, call.presentation, *with_raw);
  } else {
    response.body = table_text(latest_table(*answer), call.presentation);
    add_warnings(response, answer->warnings);
  }
  response.set_header("Cache-Control", "no-cache");
  response.set_header("ETag", live_tag(call));
  return response;
}

}  // namespace countertop::api
