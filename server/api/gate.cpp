#include "server/api/gate.hpp"

#include <algorithm>

namespace countertop::api {
namespace {

constexpr std::string_view kCookie = "countertop_session";
constexpr std::size_t kMostSessions = 64;

constexpr std::string_view kLoginPage = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Countertop: token</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/docs.css"></head>
<body><main><h1>Countertop</h1>
<form method="post" action="/login"><label>Token (it is in the file <code>token</code> in the data directory)
<input name="token" type="password" autocomplete="current-password" required autofocus></label>
<button>Continue</button></form></main></body></html>
)";

Problem unauthorized(std::string detail) {
  return {401,
          "token",
          "The token is needed",
          std::move(detail),
          "Send 'Authorization: Bearer TOKEN'; the token is in the file 'token' in the data directory. In a "
          "browser open /login.",
          {},
          0};
}

bool is_open_to_all(std::string_view path) {
  return path == "/healthz" || path == "/login" || path == "/docs.css";
}

std::string_view cookie_value(std::string_view cookies, std::string_view name) {
  for (const std::string_view part : split(cookies, ';')) {
    const std::string_view one = trim(part);
    const std::size_t equals = one.find('=');
    if (equals != std::string_view::npos && one.substr(0, equals) == name) return one.substr(equals + 1);
  }
  return {};
}

bool has_bearer(const Request& request, std::string_view token) {
  constexpr std::string_view kScheme = "bearer ";
  const std::string_view header = request.header("authorization");
  if (to_lower(header.substr(0, kScheme.size())) != kScheme) return false;
  return equal_in_constant_time(trim(header.substr(kScheme.size())), token);
}

/// A browser says where a request comes from; other clients say nothing.
bool is_from_elsewhere(const Request& request) {
  const std::string_view site = request.header("sec-fetch-site");
  if (!site.empty() && site != "same-origin" && site != "none") return true;
  const std::string_view origin = request.header("origin");
  if (origin.empty()) return false;
  const std::size_t scheme = origin.find("://");
  return scheme == std::string_view::npos ||
         to_lower(origin.substr(scheme + 3)) != to_lower(request.header("host"));
}

std::string_view media_type(const Request& request) {
  const std::string_view type = request.header("content-type");
  return trim(type.substr(0, type.find(';')));
}

}  // namespace

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  std::size_t difference = a.size() ^ b.size();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char other = b.empty() ? '\0' : b[i % b.size()];
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(other);
  }
  return difference == 0 && !b.empty();
}

std::string host_without_port(std::string_view host_header) {
  std::string host = to_lower(trim(host_header));
  const std::size_t bracket = host.rfind(']');
  const std::size_t colon = host.rfind(':');
  if (colon != std::string::npos &&
      (bracket == std::string::npos ? host.find(':') == colon : colon > bracket)) {
    // Anything but a number behind the colon is no port, and such a host no host of ours.
    if (host.find_first_not_of("0123456789", colon + 1) != std::string::npos) return {};
    host.resize(colon);
  }
  if (host.ends_with('.')) host.pop_back();
  return host;
}

bool is_literal_address(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']'))
    return host.find_first_not_of("0123456789abcdef:.", 1) == host.size() - 1;
  const auto parts = split(host, '.');
  return parts.size() == 4 && std::ranges::all_of(parts, [](std::string_view part) {
           return !part.empty() && part.size() <= 3 &&
                  part.find_first_not_of("0123456789") == std::string_view::npos;
         });
}

bool is_loopback_name(std::string_view host) {
  return host == "localhost" || host.ends_with(".localhost") || host == "[::1]" ||
         (host.starts_with("127.") && is_literal_address(host));
}

bool Gate::is_host_allowed(std::string_view host_header) const {
  const std::string host = host_without_port(host_header);
  if (host.empty()) return false;
  if (is_loopback_name(host) || (policy_.is_exposed && is_literal_address(host))) return true;
  return std::ranges::find(policy_.allowed_hosts, host) != policy_.allowed_hosts.end();
}

bool Gate::has_session(const Request& request) const {
  const std::string_view id = cookie_value(request.header("cookie"), kCookie);
  if (id.empty()) return false;
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(sessions_,
                             [&](const std::string& one) { return equal_in_constant_time(id, one); });
}

std::optional<Response> Gate::refuse(const Request& request) const {
  if (!is_host_allowed(request.header("host"))) {
    return problem_response({421,
                             "host",
                             "This program does not answer to that name",
                             "The Host header says '" + shown(request.header("host")) + "'.",
                             "Use localhost or 127.0.0.1, or add the name to server.allowed_hosts.",
                             {},
                             0},
                            request.path);
  }
  if (is_open_to_all(request.path)) return std::nullopt;
  const bool has_token = has_bearer(request, policy_.token);
  const bool has_cookie = !has_token && has_session(request);
  if (!request.only_reads()) {
    if (!has_token && !has_cookie)
      return problem_response(unauthorized("Changing something needs the token."), request.path);
    if (has_cookie && is_from_elsewhere(request)) {
      return problem_response({403,
                               "foreign-page",
                               "Another page may not do that",
                               "The request was made by a page of another origin.",
                               "Do it from Countertop's own page.",
                               {},
                               0},
                              request.path);
    }
    if (request.method == "POST" && to_lower(media_type(request)) != "application/json") {
      return problem_response({415,
                               "media-type",
                               "The body must be JSON",
                               "Content-Type is '" + shown(request.header("content-type")) + "'.",
                               "Send Content-Type: application/json.",
                               {},
                               0},
                              request.path);
    }
    return std::nullopt;
  }
  if (!policy_.is_exposed || has_token || has_cookie) return std::nullopt;
  if (request.header("accept").find("text/html") != std::string_view::npos) {
    Response redirection = make_response(303, "text/plain; charset=utf-8", "The token is needed: /login\n");
    redirection.set_header("Location", "/login");
    redirection.set_header("Cache-Control", "no-store");
    return redirection;
  }
  return problem_response(
      unauthorized("The program listens beyond this machine, so everything needs the token."), request.path);
}

Response Gate::login(const Request& request) {
  if (request.only_reads()) {
    Response page = make_response(200, "text/html; charset=utf-8", std::string(kLoginPage));
    page.set_header("Cache-Control", "no-store");
    return page;
  }
  if (request.method != "POST" || is_from_elsewhere(request) ||
      to_lower(media_type(request)) != "application/x-www-form-urlencoded") {
    return problem_response({400,
                             "login",
                             "This is no login",
                             "Only the form of /login is taken here.",
                             "Open /login in a browser.",
                             {},
                             0},
                            request.path);
  }
  Request form;
  set_target(form, "/?" + request.body);
  const bool is_right = form.query.size() == 1 && form.query.front().first == "token" &&
                        equal_in_constant_time(trim(form.query.front().second), policy_.token);
  if (!is_right) return problem_response(unauthorized("That is not the token."), request.path);
  const std::string id = policy_.new_id();
  {
    const std::lock_guard lock(mutex_);
    if (sessions_.size() == kMostSessions) sessions_.erase(sessions_.begin());
    sessions_.push_back(id);
  }
  Response done = make_response(303, "text/plain; charset=utf-8", "Welcome.\n");
  done.set_header("Location", "/");
  done.set_header("Set-Cookie", std::string(kCookie) + "=" + id + "; Path=/; HttpOnly; SameSite=Strict");
  done.set_header("Cache-Control", "no-store");
  return done;
}

}  // namespace countertop::api
