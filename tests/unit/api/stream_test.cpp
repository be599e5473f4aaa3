#include <catch_amalgamated.hpp>
#include <chrono>
#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/api_world.hpp"

using namespace countertop;
using nlohmann::json;
using test::ApiWorld;
using test::kNowMs;

namespace {

struct Event {
  std::string id, event;
  json data;
};

std::vector<Event> events_of(const std::string& text) {
  std::vector<Event> events;
  Event event;
  for (const std::string_view line : api::split(text, '\n')) {
    if (line.starts_with("id: ")) event.id = line.substr(4);
    if (line.starts_with("event: ")) event.event = line.substr(7);
    if (line.starts_with("data: ")) event.data = json::parse(line.substr(6));
    if (!line.empty() || event.event.empty()) continue;
    events.push_back(event);
    event = {};
  }
  return events;
}

/// A client on a thread of its own.
class Client {
 public:
  Client(ApiWorld& world, const std::string& target, const std::map<std::string, std::string>& headers = {})
      : response_(world.get(target, headers)), thread_([this](const std::stop_token& stop) { read(stop); }) {}
  ~Client() { finish(); }

  void finish() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] std::vector<Event> events() {
    const std::lock_guard lock(mutex_);
    return events_of(text_);
  }
  /// Waits for so many events of a kind.
  [[nodiscard]] std::vector<Event> wait_for(const std::string& kind, std::size_t count) {
    for (int i = 0; i < 500; ++i) {
      std::vector<Event> found = events();
      std::erase_if(found, [&](const Event& event) { return event.event != kind; });
      if (found.size() >= count) return found;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    FAIL("no " << count << " events " << kind);
    return {};
  }
  /// Nothing is taken while it is held.
  std::unique_lock<std::mutex> hold() { return std::unique_lock(mutex_); }

 private:
  void read(const std::stop_token& stop) {
    if (!response_.stream) return;  // wait_for then finds nothing; assertions belong to the test's own thread
    const auto end = response_.stream(
        [this](std::string_view text) {
          const std::lock_guard lock(mutex_);
          text_ += text;
          return true;
        },
        stop);
    static_cast<void>(end);
  }

  api::Response response_;
  std::mutex mutex_;
  std::string text_;
  std::jthread thread_;
};

const std::string kStream = "/api/v1/stream?series=cpu(total)/busy&series=memory/used";

}  // namespace

TEST_CASE("A stream says hello at once and gives each sample once, all series together", "[stream]") {
  ApiWorld world;
  world.tick();
  Client client(world, kStream);
  CHECK(client.wait_for("hello", 1)[0].data["columns"][0]["path"] == "cpu(total)/busy");
  static_cast<void>(client.wait_for("sample", 1));
  world.tick();
  const auto samples = client.wait_for("sample", 2);
  CHECK(samples[0].id == "1764504000");
  CHECK(samples[1].id == "1764504001");
  CHECK(samples[1].data["t"] == kNowMs / 1000 + 1);
  CHECK(samples[1].data["v"] == json({{"cpu(total)/busy", 50}, {"memory/used", 600}}));
  CHECK(samples[0].data["v"]["cpu(total)/busy"].is_null());
}

TEST_CASE("A stream's head keeps proxies from holding it back [T-U11]", "[stream][T-U11]") {
  ApiWorld world;
  world.tick();
  const auto response = world.get(kStream, {{"accept-encoding", "gzip"}});
  CHECK(response.header("Content-Type") == "text/event-stream");
  CHECK(response.header("X-Accel-Buffering") == "no");
  CHECK(response.header("Cache-Control") == "no-store");
  CHECK(response.header("Content-Encoding").empty());
  CHECK(response.is_live);
}

TEST_CASE("A client that comes back gets what it missed: no hole and nothing twice", "[stream]") {
  ApiWorld world;
  world.tick();
  world.tick();
  world.tick();
  world.history.end_ms = kNowMs + 2000;
  Client client(world, kStream, {{"last-event-id", "1764503990"}});
  static_cast<void>(client.wait_for("sample", 12));
  world.tick();
  const auto samples = client.wait_for("sample", 13);
  REQUIRE(samples.size() == 13);
  for (std::size_t i = 0; i < samples.size(); ++i)
    CHECK(samples[i].data["t"] == 1'764'503'991 + static_cast<int>(i));
}

TEST_CASE("What is not stored yet is waited for rather than left out", "[stream]") {
  ApiWorld world;
  world.tick();
  world.tick();
  world.tick();
  world.tick();
  world.history.end_ms = kNowMs;  // three seconds behind
  std::jthread writer([&](const std::stop_token&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    world.history.end_ms = kNowMs + 3000;
  });
  Client client(world, kStream + "&since=1764503998");
  const auto samples = client.wait_for("sample", 5);
  for (std::size_t i = 0; i < 5; ++i) CHECK(samples[i].data["t"] == 1'764'503'999 + static_cast<int>(i));
}

TEST_CASE("Readings of one tick are one sample of the past; those of a quick restart are not", "[stream]") {
  ApiWorld world;
  world.tick();
  // cpu is read 2 ms before memory; a new run begins 160 ms later, where cpu has no value yet.
  world.history.raw_times = {kNowMs - 4000, kNowMs - 3998, kNowMs - 3000,
                             kNowMs - 2998, kNowMs - 2838, kNowMs - 2836};
  world.history.value = [](std::string_view path, std::int64_t t) {
    const bool is_cpu = path.starts_with("cpu");
    const std::int64_t after = (t - kNowMs + 10'000) % 1000;
    const bool has_value = is_cpu ? after == 0 : after == 2 || after == 164;
    return has_value ? static_cast<double>(after) : std::nan("");
  };
  Client client(world, kStream + "&since=1764503990");
  const auto samples = client.wait_for("sample", 3);
  CHECK(samples[0].id == "1764503996.002");
  CHECK(samples[0].data["v"] == json({{"cpu(total)/busy", 0}, {"memory/used", 2}}));
  CHECK(samples[1].id == "1764503997.002");
  CHECK(samples[1].data["v"] == json({{"cpu(total)/busy", 0}, {"memory/used", 2}}));
  CHECK(samples[2].id == "1764503997.164");
  CHECK(samples[2].data["v"] == json({{"cpu(total)/busy", nullptr}, {"memory/used", 164}}));
}

TEST_CASE("A client that was away for too long is told to load anew", "[stream]") {
  ApiWorld world;
  world.tick();
  Client client(world, kStream, {{"last-event-id", "1764400000"}});
  CHECK_FALSE(client.wait_for("reset", 1)[0].data["reason"].get<std::string>().empty());
  CHECK(client.wait_for("sample", 1)[0].id == "1764504000");
  Client other(world, kStream, {{"last-event-id", "not ours"}});
  CHECK(other.wait_for("sample", 1)[0].id == "1764504000");
  CHECK(world.get(kStream + "&since=yesterday").status == 400);
}

TEST_CASE("Marks and gaps are events", "[stream]") {
  ApiWorld world;
  world.tick();
  Client client(world, kStream);
  static_cast<void>(client.wait_for("sample", 1));
  world.marks.add({7, {kNowMs + 500, MarkKind::suspend, "the computer was asleep", kNowMs + 60'000}});
  world.tick(kNowMs + 60'000);
  const auto mark = client.wait_for("mark", 1)[0];
  CHECK(mark.data["id"] == 7);
  CHECK(mark.data["kind"] == "suspend");
  const auto gap = client.wait_for("gap", 1)[0];
  CHECK(gap.data["to"] == kNowMs / 1000 + 60);
  CHECK(gap.data["reason"].get<std::string>().find("asleep") != std::string::npos);
}

TEST_CASE("A reader that falls behind is told so and dropped", "[stream]") {
  ApiWorld world;
  world.tick();
  Client client(world, kStream);
  static_cast<void>(client.wait_for("sample", 1));
  {
    const auto held = client.hold();
    for (int i = 0; i < 20; ++i) world.tick();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (int i = 0; i < 20; ++i) world.tick();
  }
  CHECK(client.wait_for("lagged", 1)[0].data["missed"] >= 10);
  CHECK(client.events().back().event == "lagged");
  CHECK(world.api->counters().lagged == 1);
}

TEST_CASE("A longer interval leaves samples out", "[stream]") {
  ApiWorld world;
  world.tick();
  Client client(world, kStream + "&interval=2s");
  static_cast<void>(client.wait_for("sample", 1));
  for (int i = 0; i < 4; ++i) {
    world.tick();
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  const auto samples = client.wait_for("sample", 3);
  CHECK(samples[1].id == "1764504002");
  CHECK(samples[2].id == "1764504004");
  CHECK(world.get(kStream + "&interval=2h").status == 400);
}

TEST_CASE("There are so many streams and no more, and a place is free again after one", "[stream]") {
  ApiWorld world;
  world.tick();
  std::vector<api::Response> open;
  for (int i = 0; i < 4; ++i) open.push_back(world.get(kStream));
  const auto refused = world.get(kStream);
  CHECK(refused.status == 429);
  CHECK(refused.header("Retry-After") == "10");
  open.pop_back();
  CHECK(world.get(kStream).status == 200);
  CHECK(world.get("/api/v1/stream?series=nothing/x").status == 404);
}
