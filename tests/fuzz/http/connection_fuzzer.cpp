// Any bytes on a connection: the server answers in HTTP or closes, and never waits for more once the other
// side has ended. The handler tells what reached it, so that a mistaken length or header would show.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "server/http/server.hpp"
#include "server/http/static_files.hpp"
#include "tests/support/raw_client.hpp"

namespace {

using namespace countertop;

api::Response echo(const api::Request& request) {
  if (request.body.size() > api::kMaxBodyBytes) std::abort();
  static const api::Pages kPages = http::make_pages({});
  if (request.path.starts_with('/'))
    if (auto page = kPages(request)) return *page;
  std::string seen = request.method + " " + request.path + "\n";
  for (const auto& [name, value] : request.headers) {
    if (value.find_first_of("\r\n") != std::string::npos) std::abort();
    seen += name + "\n";
  }
  return api::make_response(200, "text/plain", seen + std::to_string(request.body.size()));
}

http::Server& server() {
  static const std::unique_ptr<http::Server> kServer = [] {
    http::ServerOptions options;
    options.port = 0;
    auto bound = http::Server::bind(options, echo);
    if (!bound) std::abort();
    (*bound)->start();
    return std::move(*bound);
  }();
  return *kServer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::RawClient client(server().port());
  client.send({reinterpret_cast<const char*>(data), size});
  client.end_sending();
  const std::string answer = client.receive_all();
  if (!answer.empty() && !answer.starts_with("HTTP/1.")) std::abort();
  return 0;
}
