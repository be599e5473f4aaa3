#include "server/api/api.hpp"

#include <chrono>
#include <exception>
#include <new>

#include "server/api/caching.hpp"
#include "server/api/gzip.hpp"
#include "server/api/resources.hpp"

namespace countertop::api {
namespace {

/// The route's own parameters, and those of presentation where it has formats.
std::vector<ParameterName> known_parameters(const Route& route) {
  std::vector<ParameterName> known(route.parameters.begin(), route.parameters.end());
  if (route.has_formats)
    known.insert(known.end(), kPresentationParameters.begin(), kPresentationParameters.end());
  return known;
}

std::string timing_header(std::chrono::steady_clock::duration duration) {
  const std::int64_t us = std::chrono::duration_cast<std::chrono::microseconds>(duration).count();
  std::string decimals = std::to_string(us % 1000 + 1000);
  decimals.front() = '.';
  return "app;dur=" + std::to_string(us / 1000) + decimals;
}

Response internal_error(const Request& request, std::string detail) {
  return problem_response({500,
                           "internal",
                           "The program made a mistake",
                           std::move(detail),
                           "Please report it with the address you asked for.",
                           {},
                           0},
                          request.path);
}

}  // namespace

Api::Api(Services services, AccessPolicy policy, Pages pages)
    : services_(std::move(services)),
      gate_(std::move(policy)),
      pages_(std::move(pages)),
      streams_(services_.limits.most_streams),
      exports_(services_.limits.most_exports) {}

Answered<Response> Api::route(const Request& request) {
  auto found = find_route(routes(), request);
  if (!found) return tl::unexpected(found.error());
  const Route& route = *found->route;
  const auto known = known_parameters(route);
  auto parameters = Parameters::read(request, known);
  if (!parameters) return tl::unexpected(parameters.error());
  Presentation presentation;
  if (route.has_formats) {
    auto wanted = read_presentation(request, *parameters, found->suffix);
    if (!wanted) return tl::unexpected(wanted.error());
    presentation = *wanted;
  }
  const Call call{request,
                  services_,
                  streams_,
                  exports_,
                  counters_,
                  *std::move(parameters),
                  presentation,
                  std::move(found->captures),
                  services_.clock.wall_ms()};
  return route.handler(call);
}

Response Api::answer(const Request& request) {
  if (auto refused = gate_.refuse(request)) return *std::move(refused);
  if (request.path == "/login") return gate_.login(request);
  auto response = route(request);
  if (response) return *std::move(response);
  const Problem& problem = response.error();
  if (problem.slug == "unknown-path" && request.only_reads() && pages_) {
    if (auto page = pages_(request)) return *std::move(page);
  }
  Response refused = problem_response(problem, request.path);
  if (problem.status == 405) refused.set_header("Allow", allowed_methods(routes(), request.path));
  return refused;
}

Response Api::handle(const Request& request) {
  counters_.requests.fetch_add(1);
  const auto start = std::chrono::steady_clock::now();
  Response response;
  try {
    response = answer(request);
    if (response.status == 200 && request.only_reads() && matches_tag(request, response.header("ETag")))
      make_not_modified(response);
    compress(request, response);
  } catch (const std::bad_alloc&) {
    response = problem_response({503,
                                 "memory",
                                 "There is not enough memory",
                                 "The answer would take too much memory.",
                                 "Ask for less at a time.",
                                 {},
                                 5},
                                request.path);
  } catch (const std::exception& error) {
    response = internal_error(request, error.what());
  }
  if (response.status >= 500) counters_.failed.fetch_add(1);
  add_safety_headers(response);
  response.set_header("Server-Timing", timing_header(std::chrono::steady_clock::now() - start));
  return response;
}

void add_safety_headers(Response& response) {
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("Referrer-Policy", "no-referrer");
  response.set_header(
      "Content-Security-Policy",
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'");
  response.set_header("Cross-Origin-Resource-Policy", "same-origin");
  response.set_header("Cross-Origin-Opener-Policy", "same-origin");
}

}  // namespace countertop::api
