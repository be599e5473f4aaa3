#include <array>
#include <atomic>
#include <catch_amalgamated.hpp>
#include <latch>
#include <thread>

#include "server/http/static_files.hpp"
#include "server/http/thread_pool.hpp"

using namespace countertop;
using namespace std::chrono_literals;

TEST_CASE("Threads come with the work and go when there is none", "[http]") {
  http::ThreadPool pool(4, 50ms);
  std::latch started(4);
  std::atomic<bool> go{false};
  std::atomic<int> done{0};
  for (int i = 0; i < 6; ++i) {
    CHECK(pool.enqueue([&, i] {
      if (i < 4) started.count_down();
      while (!go) std::this_thread::sleep_for(1ms);
      ++done;
    }));
  }
  started.wait();
  CHECK(pool.threads() == 4);
  CHECK(pool.waiting() == 2);
  go = true;
  for (int i = 0; i < 400 && (done < 6 || pool.threads() > 0); ++i) std::this_thread::sleep_for(5ms);
  CHECK(done == 6);
  CHECK(pool.threads() == 0);
  std::latch again(1);
  CHECK(pool.enqueue([&] { again.count_down(); }));
  again.wait();
  pool.shutdown();
  CHECK_FALSE(pool.enqueue([] {}));
}

TEST_CASE("What is in line when the pool ends is still done", "[http]") {
  std::atomic<int> done{0};
  http::ThreadPool pool(1);
  for (int i = 0; i < 10; ++i) {
    CHECK(pool.enqueue([&] {
      std::this_thread::sleep_for(1ms);
      ++done;
    }));
  }
  pool.shutdown();
  CHECK(done == 10);
}

TEST_CASE("Files with a hash are kept for ever, the page itself is asked for again", "[http]") {
  constexpr std::array<EmbeddedFile, 3> kFiles{
      {{"index.html", "<html>page</html>"}, {"app-0123456789.js", "code"}, {"favicon.svg", "<svg/>"}}};
  const auto pages = http::make_pages(kFiles);
  const auto get = [&](std::string_view target) {
    api::Request request;
    api::set_target(request, target);
    return pages(request);
  };
  for (const char* view :
       {"/", "/counters", "/processes", "/locks", "/sessions", "/status", "/counters?from=-1h"}) {
    INFO(view);
    const auto page = get(view);
    REQUIRE(page);
    CHECK(page->body == "<html>page</html>");
    CHECK(page->header("Cache-Control") == "no-cache");
    CHECK(page->header("Content-Type") == "text/html; charset=utf-8");
    CHECK_FALSE(page->header("ETag").empty());
  }
  CHECK(get("/app-0123456789.js")->header("Cache-Control").find("immutable") != std::string_view::npos);
  CHECK(get("/app-0123456789.js")->header("Content-Type") == "text/javascript; charset=utf-8");
  CHECK(get("/favicon.svg")->header("Content-Type") == "image/svg+xml");
  CHECK_FALSE(get("/nothing"));
  CHECK_FALSE(get("/../etc/passwd"));
  CHECK_FALSE(get("/counters/"));
  CHECK(http::has_hash("a/b-0123456789abcdef.css"));
  CHECK_FALSE(http::has_hash("app-1234.js"));
  CHECK_FALSE(http::has_hash("service-worker.js"));
}
