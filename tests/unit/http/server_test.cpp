#include "server/http/server.hpp"

#include <atomic>
#include <catch_amalgamated.hpp>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "tests/support/raw_client.hpp"

using namespace countertop;
using namespace std::chrono_literals;
using std::chrono::steady_clock;
using test::get_request;
using test::RawClient;

namespace {

/// Waits for the stop token; true when it came within the limit.
bool wait_for_stop(const std::stop_token& stop, std::chrono::milliseconds limit) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait_for(lock, stop, limit, [] { return false; });
  return stop.stop_requested();
}

std::string echo_text(const api::Request& request) {
  std::string text = request.method + " " + request.path;
  for (const auto& [name, value] : request.query) text += " " + name + "=" + value;
  return text + " [" + request.body + "] " + std::string(request.header("x-test"));
}

api::Response respond(const api::Request& request, std::atomic<int>& stopped) {
  api::Response response = api::make_response(200, "text/plain", echo_text(request));
  if (request.path == "/wait") {
    if (wait_for_stop(request.stop, 20s)) ++stopped;
  } else if (request.path == "/stream") {
    response.is_live = true;
    response.stream = [&stopped](const api::Write& write, const std::stop_token& stop) {
      if (!write("hello\n")) return api::StreamEnd::broken;
      if (wait_for_stop(stop, 60s)) ++stopped;
      return api::StreamEnd::complete;
    };
  } else if (request.path == "/broken" || request.path == "/whole") {
    const auto end = request.path == "/whole" ? api::StreamEnd::complete : api::StreamEnd::broken;
    response.stream = [end](const api::Write& write, const std::stop_token&) {
      static_cast<void>(write("some text\n"));
      return end;
    };
  } else if (request.path == "/much") {
    response.stream = [&stopped](const api::Write& write, const std::stop_token&) {
      const std::string block(100'000, 'x');
      while (write(block)) {
      }
      ++stopped;
      return api::StreamEnd::broken;
    };
  }
  return response;
}

struct Running {
  explicit Running(http::ServerOptions options = {}) {
    options.port = 0;
    auto bound = http::Server::bind(
        options, [this](const api::Request& request) { return respond(request, stopped); });
    REQUIRE(bound);
    server = std::move(*bound);
    server->start();
  }
  [[nodiscard]] RawClient client() const { return RawClient(server->port()); }
  [[nodiscard]] bool wait_for_stopped(int count, std::chrono::milliseconds limit) const {
    const auto deadline = steady_clock::now() + limit;
    while (stopped < count && steady_clock::now() < deadline) std::this_thread::sleep_for(5ms);
    return stopped >= count;
  }

  std::atomic<int> stopped{0};
  std::unique_ptr<http::Server> server;
};

}  // namespace

TEST_CASE("A request reaches the handler as it was sent, and connections are used again", "[http]") {
  Running running;
  auto client = running.client();
  CHECK(client.get("/a%20b?x=1+2&y=%41").ends_with("GET /a%20b x=1 2 y=A [] "));
  CHECK(client.get("/second").ends_with("GET /second [] "));
  REQUIRE(
      client.send("POST /p HTTP/1.1\r\nHost: localhost\r\nX-Test: END\r\nContent-Length: 5\r\n\r\nabcde"));
  CHECK(client.receive_until("END").ends_with("POST /p [abcde] END"));
  REQUIRE(client.send("HEAD /h HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  const std::string head = client.receive_until("\r\n\r\n");
  CHECK(head.find("Content-Length: 11") != std::string::npos);
  CHECK(client.get("/after").ends_with("GET /after [] "));
}

TEST_CASE("Requests that come in one piece are all answered", "[http]") {
  Running running;
  auto client = running.client();
  REQUIRE(client.send(get_request("/one") + get_request("/two") +
                      get_request("/three", "Connection: close\r\n")));
  const std::string all = client.receive_all();
  CHECK(all.find("GET /one [] ") != std::string::npos);
  CHECK(all.find("GET /two [] ") != std::string::npos);
  CHECK(all.ends_with("GET /three [] "));
}

TEST_CASE("Too large a body, too long an address and nonsense are refused with a problem", "[http]") {
  Running running;
  auto large = running.client();
  large.send("POST /p HTTP/1.1\r\nHost: localhost\r\nContent-Length: 70000\r\n\r\n" +
             std::string(70'000, 'x'));
  const std::string refused = large.receive_all();
  CHECK(refused.starts_with("HTTP/1.1 413"));
  CHECK(refused.find("application/problem+json") != std::string::npos);
  CHECK(refused.find("nosniff") != std::string::npos);

  auto chunked = running.client();
  chunked.send("POST /p HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 10; ++i) chunked.send("4000\r\n" + std::string(0x4000, 'x') + "\r\n");
  chunked.send("0\r\n\r\n");
  CHECK(chunked.receive_all().find("[xxx") == std::string::npos);

  auto far = running.client();
  far.send(get_request("/" + std::string(9000, 'a')));
  CHECK(far.receive_all().starts_with("HTTP/1.1 414"));
  auto odd = running.client();
  odd.send("NONSENSE\r\n\r\n");
  CHECK(odd.receive_all().starts_with("HTTP/1.1 400"));
  CHECK(running.client().get("/still").ends_with("GET /still [] "));
}

TEST_CASE("A body that nobody reads does not become the next request", "[http]") {
  Running running;
  auto client = running.client();
  client.send(
      "GET /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 34\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: "
      "x\r\n\r\n");
  const std::string all = client.receive_all();
  CHECK(all.ends_with("GET /a [] "));
}

TEST_CASE("A head that drips is cut off when its time is up", "[http]") {
  http::ServerOptions options;
  options.receive_limit = 400ms;
  Running running(options);
  auto client = running.client();
  const auto start = steady_clock::now();
  REQUIRE(client.send("GET / HTTP/1.1\r\n"));
  bool is_open = true;
  while (is_open && steady_clock::now() - start < 5s) {
    is_open = client.send("x") && !client.is_closed_within(50ms);
  }
  CHECK_FALSE(is_open);
  CHECK(steady_clock::now() - start < 3s);
}

TEST_CASE("A body that does not come is not waited for long", "[http]") {
  http::ServerOptions options;
  options.receive_limit = 300ms;
  Running running(options);
  auto client = running.client();
  REQUIRE(client.send("POST /p HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab"));
  CHECK(client.is_closed_within(3s));
}

TEST_CASE("Idle connections cost no thread, and are closed after a while", "[http]") {
  http::ServerOptions options;
  options.idle_limit = 500ms;
  Running running(options);
  std::vector<RawClient> clients;
  for (int i = 0; i < 50; ++i) {
    clients.push_back(running.client());
    CHECK(clients.back().get("/x").ends_with("GET /x [] "));
  }
  CHECK(running.server->threads() < 10);
  for (RawClient& client : clients) CHECK(client.is_closed_within(5s));
  CHECK(running.server->idle_connections() == 0);
}

TEST_CASE("The longest idle connections go when there are too many", "[http]") {
  http::ServerOptions options;
  options.most_idle = 10;
  Running running(options);
  std::vector<RawClient> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(running.client());
    static_cast<void>(clients.back().get("/x"));
  }
  CHECK(clients.front().is_closed_within(2s));
  CHECK_FALSE(clients.back().is_closed_within(100ms));
}

TEST_CASE("200 idle connections and 64 streams do not delay a request", "[http]") {
  Running running;
  std::vector<RawClient> idle, streams;
  for (int i = 0; i < 200; ++i) {
    idle.push_back(running.client());
    static_cast<void>(idle.back().get("/x"));
  }
  for (int i = 0; i < 64; ++i) {
    streams.push_back(running.client());
    REQUIRE(streams.back().send(get_request("/stream")));
    CHECK(streams.back().receive_until("hello\n").ends_with("hello\n"));
  }
  const auto start = steady_clock::now();
  CHECK(running.client().get("/query").ends_with("GET /query [] "));
  const auto took = steady_clock::now() - start;
  INFO(std::chrono::duration_cast<std::chrono::milliseconds>(took).count() << " ms");
  CHECK(took < 1s);
  CHECK(running.server->threads() <= 70);
}

TEST_CASE("An answer is ended when its client goes, and when its time is up", "[http]") {
  http::ServerOptions options;
  options.answer_limit = 5000ms;
  Running running(options);
  auto client = running.client();
  REQUIRE(client.send(get_request("/wait")));
  std::this_thread::sleep_for(100ms);
  CHECK(running.stopped == 0);
  client.close();
  CHECK(running.wait_for_stopped(1, 2s));

  auto patient = running.client();
  const auto start = steady_clock::now();
  static_cast<void>(patient.get("/wait"));
  CHECK(running.stopped == 2);
  CHECK(steady_clock::now() - start < 8s);
}

TEST_CASE("A stream ends when its client goes", "[http]") {
  Running running;
  auto client = running.client();
  REQUIRE(client.send(get_request("/stream")));
  CHECK(client.receive_until("hello\n").ends_with("hello\n"));
  client.close();
  CHECK(running.wait_for_stopped(1, 3s));
}

TEST_CASE("A body that breaks off has no end, so that nobody takes it for whole", "[http]") {
  Running running;
  auto broken = running.client();
  REQUIRE(broken.send(get_request("/broken")));
  const std::string cut = broken.receive_all();
  CHECK(cut.find("some text\n") != std::string::npos);
  CHECK_FALSE(cut.ends_with("0\r\n\r\n"));
  auto whole = running.client();
  REQUIRE(whole.send(get_request("/whole", "Connection: close\r\n")));
  CHECK(whole.receive_all().ends_with("0\r\n\r\n"));
  auto old = running.client();
  REQUIRE(old.send("GET /whole HTTP/1.0\r\nHost: localhost\r\n\r\n"));
  CHECK(old.receive_all().ends_with("\r\n\r\nsome text\n"));
}

TEST_CASE("A reader that takes nothing is dropped", "[http]") {
  http::ServerOptions options;
  options.send_limit = 500ms;
  Running running(options);
  RawClient client(running.server->port(), 4096);
  REQUIRE(client.send(get_request("/much")));
  CHECK(running.wait_for_stopped(1, 5s));
}

TEST_CASE("A head without body is the answer to HEAD, for streams too", "[http]") {
  Running running;
  auto client = running.client();
  REQUIRE(client.send("HEAD /stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
  CHECK(client.receive_all().ends_with("\r\n\r\n"));
  CHECK(running.stopped == 0);
}

TEST_CASE("Stopping ends what runs and takes little time", "[http]") {
  auto running = std::make_unique<Running>();
  auto stream = running->client(), waiting = running->client(), idle = running->client();
  REQUIRE(stream.send(get_request("/stream")));
  static_cast<void>(stream.receive_until("hello\n"));
  REQUIRE(waiting.send(get_request("/wait")));
  std::this_thread::sleep_for(100ms);
  const auto start = steady_clock::now();
  running->server->stop();
  CHECK(steady_clock::now() - start < 2s);
  CHECK(running->stopped == 2);
  CHECK(idle.is_closed_within(1s));
}

TEST_CASE("A port in use is told as such", "[http]") {
  Running running;
  http::ServerOptions options;
  options.port = running.server->port();
  const auto second = http::Server::bind(options, [](const api::Request&) { return api::Response(); });
  REQUIRE_FALSE(second);
  CHECK(second.error().code == ErrorCode::busy);
  CHECK(second.error().message.find(std::to_string(options.port)) != std::string::npos);
  options.host = "192.0.2.1";
  options.port = 20'999;
  CHECK(http::Server::bind(options, {}).error().code == ErrorCode::unavailable);
}
