// /api/v1/status, /healthz and /readyz: how the program itself is doing.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "server/api/resources.hpp"

namespace countertop::api {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json seconds_or_null(const std::optional<std::int64_t>& unix_ms) {
  return unix_ms ? Json(static_cast<double>(*unix_ms) / 1000.0) : Json();
}

Json collector_json(const CollectorStatus& collector) {
  Json json;
  json["name"] = collector.name;
  json["state"] = std::string(to_string(collector.state));
  json["reason"] = collector.reason.empty() ? Json() : Json(collector.reason);
  json["fix"] = collector.fix.empty() ? Json() : Json(collector.fix);
  json["interval_ms"] = collector.interval_ms;
  json["duration_ms"] = static_cast<double>(collector.last_duration_us) / 1000.0;
  json["longest_duration_ms"] = static_cast<double>(collector.longest_duration_us) / 1000.0;
  json["cpu_ms"] = static_cast<double>(collector.cpu_time_us) / 1000.0;
  json["readings"] = collector.readings;
  json["failures"] = collector.failures;
  json["late_ticks"] = collector.late_ticks;
  json["lateness_ms"] = static_cast<double>(collector.last_lateness_us) / 1000.0;
  json["last_success"] = collector.last_success_wall_ms == 0
                             ? Json()
                             : Json(static_cast<double>(collector.last_success_wall_ms) / 1000.0);
  return json;
}

Json store_json(const ProgramStatus& status) {
  const history::StoreStatus& store = status.store;
  Json json;
  json["directory"] = status.data_directory;
  json["bytes"] = store.bytes;
  json["max_bytes"] = store.max_bytes;
  json["wal_bytes"] = store.wal_bytes;
  json["oldest"] = seconds_or_null(store.oldest_raw_ms      ? store.oldest_raw_ms
                                   : store.oldest_minute_ms ? store.oldest_minute_ms
                                                            : store.oldest_hour_ms);
  json["oldest_by_tier"] = {{"1s", seconds_or_null(store.oldest_raw_ms)},
                            {"1m", seconds_or_null(store.oldest_minute_ms)},
                            {"1h", seconds_or_null(store.oldest_hour_ms)}};
  json["newest"] = seconds_or_null(store.newest_ms);
  json["bytes_per_day"] = store.bytes_per_day > 0 ? number_or_null(store.bytes_per_day) : Json();
  json["days_left"] = store.days_left ? number_or_null(*store.days_left) : Json();
  json["no_space"] = store.no_space || status.writer.no_space;
  json["dropped_snapshots"] = status.writer.dropped_snapshots;
  json["damaged_files"] = store.damaged_files.empty() ? status.writer.damaged_files : store.damaged_files;
  return json;
}

Json warnings_json(const ProgramStatus& status) {
  Json json = Json::array();
  const auto add = [&](const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) {
      if (std::find(json.begin(), json.end(), Json(warning)) == json.end()) json.push_back(warning);
    }
  };
  add(status.warnings);
  add(status.store.warnings);
  add(status.writer.warnings);
  return json;
}

}  // namespace

Answered<Response> get_status(const Call& call) {
  const ProgramStatus status = call.services.status();
  Json json;
  json["version"] = status.version;
  json["host"] = status.host;
  json["zone"] = status.zone;
  json["view"] = status.view;
  json["time"] = static_cast<double>(call.now_ms) / 1000.0;
  json["started"] = static_cast<double>(status.started_ms) / 1000.0;
  json["uptime_s"] = static_cast<double>(call.now_ms - status.started_ms) / 1000.0;
  json["interval_ms"] = status.interval_ms;
  json["collectors"] = Json::array();
  for (const CollectorStatus& collector : status.collectors)
    json["collectors"].push_back(collector_json(collector));
  json["store"] = store_json(status);
  Json self = Json::object();
  for (const SelfValue& value : status.self) self[value.name] = number_or_null(value.value);
  self["dropped_samples"] = status.dropped_samples;
  self["streams"] = call.streams.used();
  self["exports"] = call.exports.used();
  self["requests"] = call.counters.requests.load();
  self["failed_requests"] = call.counters.failed.load();
  json["self"] = std::move(self);
  json["missing_rights"] = Json::array();
  for (const MissingRight& right : status.missing_rights)
    json["missing_rights"].push_back({{"what", right.what}, {"why", right.why}, {"command", right.command}});
  json["warnings"] = warnings_json(status);
  return json_response(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Answered<Response> get_health(const Call& /*call*/) {
  Response response = make_response(200, "text/plain; charset=utf-8", "ok\n");
  response.set_header("Cache-Control", "no-store");
  return response;
}

Answered<Response> get_ready(const Call& call) {
  const std::string reason = call.services.status().not_ready;
  Response response = make_response(reason.empty() ? 200 : 503, "text/plain; charset=utf-8",
                                    reason.empty() ? "ready\n" : reason + "\n");
  response.set_header("Cache-Control", "no-store");
  if (!reason.empty()) response.set_header("Retry-After", "1");
  return response;
}

}  // namespace countertop::api
