#include "server/api/call.hpp"

#include <utility>

#include "server/api/value_text.hpp"
#include "server/query/counter_path.hpp"
#include "server/query/time_range.hpp"

namespace countertop::api {

Answered<query::TimeRange> read_range(const Call& call) {
  const auto range =
      query::parse_range(call.parameters.text("from"), call.parameters.text("to"), call.now_ms, call.zone());
  if (range) return *range;
  const Error& error = range.error();
  const std::string_view name = error.message.starts_with("to") ? "to" : "from";
  return tl::unexpected(bad_parameter(call.parameters.given_name(name), error.message, error.fix));
}

Answered<std::vector<query::CounterPath>> read_series(const Call& call) {
  std::vector<query::CounterPath> paths;
  for (const std::string_view text : call.parameters.all("series")) {
    auto path = query::parse_counter_path(text);
    if (!path) return tl::unexpected(bad_parameter("series", path.error().message, path.error().fix));
    paths.push_back(*std::move(path));
  }
  if (paths.empty()) {
    return tl::unexpected(bad_parameter("series", "No series is named.",
                                        "Add series=cpu(total)/busy; /api/v1/objects lists what there is."));
  }
  return paths;
}

Response json_response(std::string body) {
  Response response = make_response(200, content_type(Format::json), std::move(body));
  response.set_header("Cache-Control", "no-cache");
  return response;
}

Response table_response(const Call& call, const Table& table, std::string_view key,
                        std::string_view members) {
  std::string text = table_text(table, call.presentation);
  if (call.presentation.format == Format::json) {
    std::string body = "{";
    append_json_text(body, key);
    body += ':' + text;
    if (!members.empty()) body += ',' + std::string(members);
    return json_response(body + "}\n");
  }
  Response response = make_response(200, content_type(call.presentation.format), std::move(text));
  response.set_header("Cache-Control", "no-cache");
  return response;
}

}  // namespace countertop::api
