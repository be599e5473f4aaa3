#include "server/api/problem.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "collectors/core/utf8.hpp"

namespace countertop::api {
namespace {

struct Kind {
  int status;
  const char* slug;
  const char* title;
};

Kind kind_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return {400, "bad-request", "The request is not understood"};
    case ErrorCode::not_found:
      return {404, "not-found", "There is no such thing"};
    case ErrorCode::permission:
      return {403, "forbidden", "This is not allowed"};
    case ErrorCode::unavailable:
      return {409, "unavailable", "This is not available here or now"};
    case ErrorCode::busy:
      return {503, "busy", "The server is busy"};
    case ErrorCode::too_large:
      return {413, "too-large", "The answer would be too large"};
    case ErrorCode::cancelled:
      return {503, "too-long", "The answer took too long"};
    case ErrorCode::no_space:
      return {507, "no-space", "There is no space left"};
    case ErrorCode::malformed:
    case ErrorCode::io:
    case ErrorCode::internal:
      return {503, "store", "The history cannot be read"};
  }
  return {503, "store", "The history cannot be read"};
}

}  // namespace

std::string problem_json(const Problem& problem, std::string_view instance) {
  nlohmann::ordered_json json;
  json["type"] = "/docs#problem-" + problem.slug;
  json["title"] = problem.title;
  json["status"] = problem.status;
  if (!problem.detail.empty()) json["detail"] = problem.detail;
  if (!instance.empty()) json["instance"] = instance;
  if (!problem.fix.empty()) json["fix"] = problem.fix;
  for (const ParameterError& error : problem.errors) {
    nlohmann::ordered_json item;
    item["parameter"] = error.parameter;
    item["detail"] = error.detail;
    if (!error.did_you_mean.empty()) item["did_you_mean"] = error.did_you_mean;
    json["errors"].push_back(std::move(item));
  }
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Response problem_response(const Problem& problem, std::string_view instance) {
  Response response =
      make_response(problem.status, "application/problem+json", problem_json(problem, instance) + "\n");
  response.set_header("Cache-Control", "no-store");
  if (problem.retry_after_s > 0) response.set_header("Retry-After", std::to_string(problem.retry_after_s));
  if (problem.status == 401) response.set_header("WWW-Authenticate", "Bearer realm=\"Countertop\"");
  return response;
}

Problem problem_from(const Error& error, std::string_view parameter) {
  const Kind kind = kind_of(error.code);
  Problem problem{kind.status, kind.slug, kind.title, error.message, error.fix, {}, 0};
  if (kind.status == 503) problem.retry_after_s = 2;
  if (!parameter.empty()) problem.errors.push_back({std::string(parameter), error.message, {}});
  return problem;
}

Problem bad_parameter(std::string_view parameter, std::string detail, std::string fix,
                      std::string did_you_mean) {
  Problem problem{400, "bad-parameter", "A parameter is wrong", detail, std::move(fix), {}, 0};
  problem.errors.push_back({shown(parameter), std::move(detail), std::move(did_you_mean)});
  return problem;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kShownBytes = 80;
  const bool is_cut = text.size() > kShownBytes;
  std::string result(text.substr(0, kShownBytes));
  if (!is_utf8(result)) {
    for (char& c : result) {
      if (static_cast<unsigned char>(c) >= 0x80) c = '?';
    }
  }
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return is_cut ? result + "..." : result;
}

}  // namespace countertop::api
