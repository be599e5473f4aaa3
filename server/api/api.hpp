// The whole API as one function from request to response.
#pragma once

#include <functional>
#include <optional>

#include "server/api/call.hpp"
#include "server/api/gate.hpp"
#include "server/api/message.hpp"
#include "server/api/services.hpp"

namespace countertop::api {

/// Files of the page; nullopt: no such file.
using Pages = std::function<std::optional<Response>(const Request&)>;

class Api {
 public:
  /// `services` must outlive it, and it must outlive the streams that it gave.
  Api(Services services, AccessPolicy policy, Pages pages);

  /// Any thread, several at once. Throws nothing; our own mistakes are 500 and counted.
  [[nodiscard]] Response handle(const Request& request);

  [[nodiscard]] const Counters& counters() const { return counters_; }
  [[nodiscard]] std::size_t open_streams() const { return streams_.used(); }

 private:
  [[nodiscard]] Response answer(const Request& request);
  [[nodiscard]] Answered<Response> route(const Request& request);

  const Services services_;
  Gate gate_;
  const Pages pages_;
  StreamSlots streams_, exports_;
  Counters counters_;
};

/// Headers that keep a browser safe, on every response.
void add_safety_headers(Response& response);

}  // namespace countertop::api
