// Which function answers which address.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/call.hpp"

namespace countertop::api {

struct Route {
  std::string_view method;   // "GET" stands for HEAD too
  std::string_view pattern;  // "/api/v1/objects/{object}"
  Handler handler;
  std::span<const ParameterName> parameters;
  bool has_formats;  // knows the presentation parameters, and .csv, .json, .ndjson, .tsv at the path's end
};

struct RouteMatch {
  const Route* route = nullptr;
  std::vector<std::string> captures;  // decoded
  std::string suffix;                 // "csv", without the dot; "" when there is none
};

/// 404 with the nearest address for an unknown path, 405 for a known one that does not take this method.
[[nodiscard]] Answered<RouteMatch> find_route(std::span<const Route> routes, const Request& request);

/// Methods that the path takes, "GET, HEAD, POST"; empty for an unknown path.
[[nodiscard]] std::string allowed_methods(std::span<const Route> routes, std::string_view path);

}  // namespace countertop::api
