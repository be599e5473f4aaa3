// /api/v1/stream: the newest values as server-sent events.
#include <memory>

#include "server/api/event_stream.hpp"
#include "server/api/resources.hpp"
#include "server/query/time_range.hpp"

namespace countertop::api {
namespace {

/// Where a client that was here before left off: Last-Event-ID, which an EventSource sends by itself, or
/// `since`.
Answered<std::optional<std::int64_t>> read_since(const Call& call) {
  const std::string_view id = trim(call.request.header("last-event-id"));
  const auto since = call.parameters.text("since");
  if (id.empty() && !since) return std::optional<std::int64_t>();
  const auto time = query::parse_time(id.empty() ? *since : id, id.empty() ? "since" : "Last-Event-ID",
                                      call.now_ms, nullptr);
  if (time) return std::optional(*time);
  if (!id.empty()) return std::optional<std::int64_t>();  // an id of somebody else's: begin anew
  return tl::unexpected(bad_parameter("since", time.error().message, time.error().fix));
}

Answered<std::int64_t> read_interval(const Call& call) {
  constexpr std::int64_t kLongestMs = 60'000;
  const auto text = call.parameters.text("interval");
  if (!text) return 0;
  const auto step = query::parse_step(*text, "interval");
  if (!step) return tl::unexpected(bad_parameter("interval", step.error().message, step.error().fix));
  if (step->ms > kLongestMs) return tl::unexpected(bad_parameter("interval", "It must be at most 60s."));
  return step->ms;
}

}  // namespace

Answered<Response> get_stream(const Call& call) {
  StreamRequest wanted;
  auto series = read_series(call);
  if (!series) return tl::unexpected(series.error());
  wanted.series = *std::move(series);
  const auto since = read_since(call);
  if (!since) return tl::unexpected(since.error());
  wanted.since_ms = *since;
  const auto interval = read_interval(call);
  if (!interval) return tl::unexpected(interval.error());
  wanted.interval_ms = *interval;
  if (call.services.live.sequence() > 0) {
    const auto answer = call.services.live.latest(wanted.series);
    if (!answer) return tl::unexpected(problem_from(answer.error(), "series"));
  }
  auto slot = call.streams.take();
  if (!slot) {
    return tl::unexpected(Problem{429,
                                  "too-many-streams",
                                  "Too many streams at a time",
                                  std::to_string(call.streams.most()) + " streams are open.",
                                  "Close one, or ask /api/v1/latest now and then.",
                                  {},
                                  10});
  }
  Response response = make_response(200, "text/event-stream", {});
  response.set_header("Cache-Control", "no-store");
  response.set_header("X-Accel-Buffering", "no");
  response.is_live = true;
  response.stream = [slot = std::move(slot), wanted = std::move(wanted), services = call.services,
                     &counters = call.counters](const Write& write, const std::stop_token& stop) {
    return EventStream(services, counters, wanted, write, stop).run();
  };
  return response;
}

}  // namespace countertop::api
