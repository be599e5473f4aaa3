// Requests and responses as the API sees them: no sockets, no HTTP library, so that every resource is a plain
// function.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace countertop::api {

using NameValue = std::pair<std::string, std::string>;

/// Limits on what a client may send; the HTTP room enforces them on the wire.
inline constexpr std::size_t kMaxTargetBytes = 8192;
inline constexpr std::size_t kMaxBodyBytes = 64 * 1024;

struct Request {
  std::string method = "GET";      // as sent: "GET", "HEAD", "POST", "DELETE"
  std::string path = "/";          // as sent, percent-encoded
  std::vector<NameValue> query;    // decoded, in the order of the request
  std::vector<NameValue> headers;  // names in lower case
  std::string body;
  std::string peer;      // address of the other side
  std::stop_token stop;  // requested when the client has gone, the time is up or the program ends

  /// The first header of that lower-case name, "" when there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const;
  /// GET and HEAD.
  [[nodiscard]] bool only_reads() const { return method == "GET" || method == "HEAD"; }
};

/// Takes a part of the body to the client. False: the client has gone, or is too slow.
using Write = std::function<bool(std::string_view)>;

enum class StreamEnd : std::uint8_t {
  complete,  // everything was written
  broken,    // the connection must be cut, so that nobody takes what came for the whole
};
/// Writes a body of unknown length. Runs after the head was sent, on the connection's thread.
using Stream = std::function<StreamEnd(const Write&, const std::stop_token&)>;

struct Response {
  int status = 200;
  std::vector<NameValue> headers;  // Content-Type among them
  std::string body;
  Stream stream;         // when set, `body` is not used
  bool is_live = false;  // the stream has no end of its own: no time limit, no compression

  [[nodiscard]] std::string_view header(std::string_view name) const;  // case matters
  void set_header(std::string_view name, std::string_view value);      // replaces
};

[[nodiscard]] Response make_response(int status, std::string_view content_type, std::string body);

/// "/api/v1/query?from=-1h&series=cpu(total)/busy" into path and decoded query. `+` in the query is a blank;
/// a `%` that no two hexadecimal digits follow stands for itself.
void set_target(Request& request, std::string_view target);

/// %xx decoded; with `plus_is_blank` as forms do it.
[[nodiscard]] std::string percent_decode(std::string_view text, bool plus_is_blank);
/// For a query value: letters, digits and -._~/:@(),*$!' stay.
[[nodiscard]] std::string percent_encode(std::string_view text);

[[nodiscard]] std::string to_lower(std::string_view text);
/// Without blanks and tabs at both ends.
[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace countertop::api
