// Any request: no answer is a 500, and every answer is complete. The first line of the input is "METHOD
// target", further lines "name: value" are headers, and what follows an empty line is the body.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/support/api_world.hpp"

using namespace countertop;

namespace {

test::ApiWorld& world() {
  static test::ApiWorld one;
  static const bool is_ready = [] {
    one.tick();
    one.tick();
    one.history.process_table = {test::kNowMs, {"cpu"}, {"% of one CPU"}, {{"a", 7, 100, {1.5}, false}}};
    return true;
  }();
  static_cast<void>(is_ready);
  return one;
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  return line;
}

api::Request request_of(std::string_view text) {
  api::Request request;
  const std::string_view first = take_line(text);
  const std::size_t blank = first.find(' ');
  request.method = first.substr(0, blank);
  api::set_target(request, blank == std::string_view::npos ? "/" : first.substr(blank + 1));
  request.headers = {{"host", "localhost"}};
  if (!request.only_reads()) {
    request.headers.emplace_back("authorization", "Bearer " + std::string(test::kToken));
    request.headers.emplace_back("content-type", "application/json");
  }
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.empty()) break;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    request.headers.emplace_back(api::to_lower(line.substr(0, colon)), api::trim(line.substr(colon + 1)));
  }
  request.body = text;
  return request;
}

/// The beginning of a stream; one that waits for news is stopped.
void read_some(const api::Response& response) {
  std::stop_source stop;
  std::size_t total = 0;
  const auto write = [&](std::string_view text) {
    total += text.size();
    if (response.is_live) stop.request_stop();
    return total < 200'000;
  };
  static_cast<void>(response.stream(write, stop.get_token()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const api::Request request = request_of(text);
  const api::Response response = world().api->handle(request);
  if (response.status == 500 || response.status < 200 || response.status > 599) std::abort();
  for (const auto& [name, value] : response.headers) {
    if (value.find_first_of("\r\n") != std::string::npos) std::abort();
  }
  if (response.status >= 400 && response.body.empty()) std::abort();
  if (response.stream) read_some(response);
  return 0;
}
