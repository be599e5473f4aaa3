#include "server/api/router.hpp"

#include <array>

#include "server/query/suggest.hpp"

namespace countertop::api {
namespace {

/// Captures of `pattern`, nullopt when the path is another one.
std::optional<std::vector<std::string>> match(std::string_view pattern, std::string_view path) {
  const auto wanted = split(pattern, '/');
  const auto given = split(path, '/');
  if (wanted.size() != given.size()) return std::nullopt;
  std::vector<std::string> captures;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].starts_with('{')) {
      if (given[i].empty()) return std::nullopt;
      captures.push_back(percent_decode(given[i], false));
    } else if (wanted[i] != given[i]) {
      return std::nullopt;
    }
  }
  return captures;
}

struct SplitPath {
  std::string_view stem, suffix;
};

/// "/api/v1/query.csv" -> "/api/v1/query", "csv". The suffix is empty when it is no format.
SplitPath split_suffix(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t slash = path.rfind('/');
  if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash)) return {path, {}};
  const std::string_view suffix = path.substr(dot + 1);
  return format_from(suffix) ? SplitPath{path.substr(0, dot), suffix} : SplitPath{path, {}};
}

std::optional<RouteMatch> match_route(const Route& route, std::string_view path) {
  if (auto captures = match(route.pattern, path)) return RouteMatch{&route, *std::move(captures), {}};
  if (!route.has_formats) return std::nullopt;
  const SplitPath parts = split_suffix(path);
  if (parts.suffix.empty()) return std::nullopt;
  auto captures = match(route.pattern, parts.stem);
  if (!captures) return std::nullopt;
  return RouteMatch{&route, *std::move(captures), std::string(parts.suffix)};
}

bool takes(const Route& route, std::string_view method) {
  return route.method == method || (route.method == "GET" && method == "HEAD");
}

Problem unknown_path(std::span<const Route> routes, std::string_view path) {
  std::vector<std::string_view> patterns;
  for (const Route& route : routes) patterns.push_back(route.pattern);
  const auto near = query::nearest_names(path, patterns, 1);
  return {404,
          "unknown-path",
          "There is nothing at this address",
          "'" + shown(path) + "' is no address of this program.",
          near.empty() ? "GET /api/v1 lists the addresses."
                       : "Did you mean " + near.front() + "? GET /api/v1 lists all.",
          {},
          0};
}

}  // namespace

Answered<RouteMatch> find_route(std::span<const Route> routes, const Request& request) {
  for (const Route& route : routes) {
    if (!takes(route, request.method)) continue;
    if (auto found = match_route(route, request.path)) return *std::move(found);
  }
  const std::string allowed = allowed_methods(routes, request.path);
  if (allowed.empty()) return tl::unexpected(unknown_path(routes, request.path));
  return tl::unexpected(
      Problem{405,
              "method",
              "This address does not take that method",
              "'" + shown(request.path) + "' takes " + allowed + ", not " + shown(request.method) + ".",
              "Use one of " + allowed + ".",
              {},
              0});
}

std::string allowed_methods(std::span<const Route> routes, std::string_view path) {
  std::string allowed;
  for (const Route& route : routes) {
    if (!match_route(route, path)) continue;
    allowed +=
        (allowed.empty() ? "" : ", ") + std::string(route.method == "GET" ? "GET, HEAD" : route.method);
  }
  return allowed;
}

}  // namespace countertop::api
