// /api/v1/query: history, in buckets or as it was sampled.
#include <algorithm>
#include <utility>

#include "server/api/answer_fill.hpp"
#include "server/api/answer_text.hpp"
#include "server/api/caching.hpp"
#include "server/api/resources.hpp"
#include "server/query/plan.hpp"
#include "server/query/time_range.hpp"

namespace countertop::api {
namespace {

Answered<std::vector<query::Aggregate>> read_aggregates(const Call& call) {
  constexpr std::array<std::string_view, query::kAggregateCount> kNames{"avg",   "min", "max", "last", "sum",
                                                                        "count", "p50", "p95", "p99"};
  const auto text = call.parameters.text("agg");
  if (!text) return std::vector{query::Aggregate::average};
  std::vector<query::Aggregate> aggregates;
  for (const std::string_view part : split(*text, ',')) {
    const auto one = query::aggregate_from(trim(part));
    if (!one) return tl::unexpected(not_one_of("agg", trim(part), kNames));
    if (std::ranges::find(aggregates, *one) != aggregates.end())
      return tl::unexpected(bad_parameter("agg", "'" + std::string(trim(part)) + "' is given twice."));
    aggregates.push_back(*one);
  }
  return aggregates;
}

/// step, points, or neither.
Answered<void> read_resolution(const Call& call, query::PlanRequest& plan) {
  if (const auto text = call.parameters.text("step")) {
    const auto step = query::parse_step(*text, "step");
    if (!step) return tl::unexpected(bad_parameter("step", step.error().message, step.error().fix));
    plan.step = *step;
  }
  const auto points = call.parameters.whole_number("points", 1, query::kMaxRequestedPoints);
  if (!points) return tl::unexpected(points.error());
  plan.points = *points;
  if (plan.step && plan.points) {
    return tl::unexpected(bad_parameter(call.parameters.given_name("points"),
                                        "step and points cannot be given together.",
                                        "Leave out one of them."));
  }
  return {};
}

Answered<query::Request> read_query(const Call& call) {
  query::Request request;
  auto series = read_series(call);
  if (!series) return tl::unexpected(series.error());
  request.series = *std::move(series);
  const auto range = read_range(call);
  if (!range) return tl::unexpected(range.error());
  request.range = *range;
  auto aggregates = read_aggregates(call);
  if (!aggregates) return tl::unexpected(aggregates.error());
  request.aggregates = *std::move(aggregates);
  const auto with_raw = call.parameters.flag("raw", false);
  if (!with_raw) return tl::unexpected(with_raw.error());
  request.with_raw = *with_raw;

  query::PlanRequest wanted;
  wanted.range = request.range;
  wanted.zone = call.presentation.zone;
  wanted.sample_interval_ms = call.services.interval_ms;
  wanted.aggregates = request.aggregates;
  if (const auto resolution = read_resolution(call, wanted); !resolution)
    return tl::unexpected(resolution.error());
  if (request.with_raw && (wanted.step || wanted.points)) {
    return tl::unexpected(bad_parameter("raw", "raw=1 shows single samples, which step and points merge.",
                                        "Leave out step and points, or raw."));
  }
  auto plan = query::plan_buckets(wanted);
  if (!plan) return tl::unexpected(problem_from(plan.error(), wanted.step ? "step" : "from"));
  if (request.with_raw && plan->grid.step_ms != 0) {
    return tl::unexpected(bad_parameter("raw",
                                        "raw=1 gives at most " + std::to_string(query::kMaxRawRowsUnasked) +
                                            " samples of each series, and this range has more.",
                                        "Ask for a shorter range."));
  }
  request.grid = std::move(plan->grid);
  request.tier = plan->tier;
  return request;
}

}  // namespace

Answered<Response> get_query(const Call& call) {
  const auto request = read_query(call);
  if (!request) return tl::unexpected(request.error());
  const auto fill = read_fill(call);
  if (!fill) return tl::unexpected(fill.error());
  const bool is_open = request->range.to_ms > call.now_ms - kClosedAfterMs;
  if (is_open && matches_tag(call.request, live_tag(call))) {
    Response unchanged;
    set_caching(call, request->range, unchanged);
    make_not_modified(unchanged);
    return unchanged;
  }
  auto answer = call.services.history.query(*request, call.request.stop);
  if (!answer) return tl::unexpected(problem_from(answer.error(), "series"));
  apply_fill(*fill, *request, *answer);
  Response response = make_response(200, content_type(call.presentation.format), {});
  if (call.presentation.format == Format::json) {
    response.body =
        answer_json(*answer, *request, call.presentation, formulas_of(call.services, *answer, *request));
  } else {
    response.body = answer_rows(*answer, *request, call.presentation);
    add_warnings(response, answer->warnings);
  }
  set_caching(call, request->range, response);
  return response;
}

}  // namespace countertop::api
