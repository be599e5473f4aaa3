// Who may ask: the Host header, the token, and where a browser's request comes from.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/message.hpp"
#include "server/api/problem.hpp"

namespace countertop::api {

struct AccessPolicy {
  /// Names without port, lower case, that may stand in Host besides localhost and loopback addresses.
  std::vector<std::string> allowed_hosts;
  /// Bound beyond loopback: any literal address may stand in Host, and every request needs the token.
  bool is_exposed = false;
  std::string token;                    // 256 random bits as text
  std::function<std::string()> new_id;  // 256 random bits as text, for sessions
};

/// Any thread.
class Gate {
 public:
  explicit Gate(AccessPolicy policy) : policy_(std::move(policy)) {}

  /// nullopt: the request may go on. Otherwise 421, 401, 403 or 415, or a redirection of a browser to /login.
  [[nodiscard]] std::optional<Response> refuse(const Request& request) const;

  /// GET /login: a form for the token. POST /login: checks it and sets a cookie that stands for it until the
  /// program ends.
  [[nodiscard]] Response login(const Request& request);

 private:
  [[nodiscard]] bool is_host_allowed(std::string_view host_header) const;
  [[nodiscard]] bool has_session(const Request& request) const;

  const AccessPolicy policy_;
  mutable std::mutex mutex_;
  std::vector<std::string> sessions_;  // guarded by mutex_; oldest first
};

/// Takes as long for a wrong text as for a right one of the same length.
[[nodiscard]] bool equal_in_constant_time(std::string_view a, std::string_view b);

/// "127.0.0.1", "[::1]": an address rather than a name.
[[nodiscard]] bool is_literal_address(std::string_view host);
[[nodiscard]] bool is_loopback_name(std::string_view host);
/// "localhost:7177" -> "localhost", "[::1]:7177" -> "[::1]"; lower case, without a dot at the end;
/// "" for what is no host and port.
[[nodiscard]] std::string host_without_port(std::string_view host_header);

}  // namespace countertop::api
