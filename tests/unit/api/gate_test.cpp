#include <catch_amalgamated.hpp>

#include "tests/support/api_world.hpp"

using namespace countertop;
using test::ApiWorld;
using test::kToken;

namespace {

int status_for_host(ApiWorld& world, const std::string& host) {
  return world.get("/healthz", {{"host", host}}).status;
}

ApiWorld exposed_world() {
  auto policy = ApiWorld::default_policy();
  policy.is_exposed = true;
  return ApiWorld(policy);
}

const std::string kBearer = "Bearer " + std::string(kToken);

}  // namespace

TEST_CASE("Only names of this machine may stand in Host [T-U10]", "[gate][T-U10]") {
  ApiWorld world;
  for (const char* host : {"localhost", "localhost:7177", "127.0.0.1:7177", "127.1.2.3", "[::1]:7177",
                           "LOCALHOST", "localhost.", "counter.example:7177", "page.localhost"}) {
    INFO(host);
    CHECK(status_for_host(world, host) == 200);
  }
  for (const char* host : {"evil.example", "localhost.evil.example", "10.0.0.1", "127.0.0.1.evil.example", "",
                           "[::2]", "127.evil.example", "[evil]", "127.0.0.1:7177@evil.example"}) {
    INFO(host);
    CHECK(status_for_host(world, host) == 421);
  }
}

TEST_CASE("The Host header is checked for streams and pages as well", "[gate][T-U10]") {
  ApiWorld world;
  world.tick();
  CHECK(world.get("/api/v1/stream?series=memory/total", {{"host", "evil.example"}}).status == 421);
  CHECK(world.get("/", {{"host", "evil.example"}}).status == 421);
}

TEST_CASE("No answer lets another origin read it, and all carry the safety headers [T-U10]",
          "[gate][T-U10]") {
  ApiWorld world;
  world.tick();
  for (const char* target :
       {"/api/v1", "/api/v1/latest?series=memory/total", "/docs", "/nothing", "/api/v1/query?x=1"}) {
    const auto response = world.get(target, {{"origin", "http://evil.example"}});
    INFO(target);
    CHECK(response.header("Access-Control-Allow-Origin").empty());
    CHECK(response.header("X-Content-Type-Options") == "nosniff");
    CHECK(response.header("Referrer-Policy") == "no-referrer");
    const std::string policy(response.header("Content-Security-Policy"));
    CHECK(policy.find("default-src 'self'") != std::string::npos);
    CHECK(policy.find("frame-ancestors 'none'") != std::string::npos);
    CHECK(policy.find("unsafe") == std::string::npos);
  }
  CHECK(world.send("OPTIONS", "/api/v1/query").status != 200);
}

TEST_CASE("Changing something needs the token and JSON, on loopback too", "[gate]") {
  ApiWorld world;
  const std::string json = "application/json";
  const std::string body = R"({"text":"hello"})";
  const auto post = [&](std::map<std::string, std::string> headers) {
    return world.send("POST", "/api/v1/marks", headers, body).status;
  };
  CHECK(post({{"content-type", json}}) == 401);
  CHECK(post({{"content-type", json}, {"authorization", "Bearer wrong"}}) == 401);
  CHECK(post({{"content-type", json}, {"authorization", "Bearer "}}) == 401);
  CHECK(post({{"content-type", json}, {"authorization", "Bearer " + std::string(kToken.substr(1))}}) == 401);
  CHECK(post({{"content-type", "text/plain"}, {"authorization", kBearer}}) == 415);
  CHECK(post({{"authorization", kBearer}}) == 415);
  CHECK(post({{"content-type", "application/json; charset=utf-8"}, {"authorization", kBearer}}) == 201);
  CHECK(world.send("DELETE", "/api/v1/marks/1").status == 401);
  CHECK(world.send("DELETE", "/api/v1/marks/1", {{"authorization", kBearer}}).status == 204);
}

TEST_CASE("Beyond loopback everything needs the token [T-U09]", "[gate][T-U09]") {
  ApiWorld world = exposed_world();
  world.tick();
  CHECK(world.get("/api/v1/latest?series=memory/total").status == 401);
  CHECK(world.get("/metrics").status == 401);
  CHECK(world.get("/docs").status == 401);
  CHECK(world.get("/api/v1/latest?series=memory/total", {{"authorization", kBearer}}).status == 200);
  CHECK(world.get("/healthz", {{"host", "10.0.0.1:7177"}}).status == 200);
  CHECK(world.get("/healthz", {{"host", "evil.example"}}).status == 421);
  const auto page = world.get("/", {{"accept", "text/html"}});
  CHECK(page.status == 303);
  CHECK(page.header("Location") == "/login");
}

TEST_CASE("A browser gets a cookie for the token, and only its own pages may write with it", "[gate]") {
  ApiWorld world = exposed_world();
  world.tick();
  CHECK(world.get("/login").body.find("<form method=\"post\"") != std::string::npos);
  const std::map<std::string, std::string> form{{"content-type", "application/x-www-form-urlencoded"}};
  CHECK(world.send("POST", "/login", form, "token=wrong").status == 401);
  CHECK(world.send("POST", "/login", form, "").status == 401);
  auto foreign = form;
  foreign["origin"] = "http://evil.example";
  CHECK(world.send("POST", "/login", foreign, "token=" + std::string(kToken)).status == 400);
  const auto done = world.send("POST", "/login", form, "token=" + std::string(kToken));
  CHECK(done.status == 303);
  const std::string cookie(done.header("Set-Cookie"));
  CHECK(cookie.find("HttpOnly") != std::string::npos);
  CHECK(cookie.find("SameSite=Strict") != std::string::npos);
  CHECK(cookie.find(kToken) == std::string::npos);

  const std::string sent = cookie.substr(0, cookie.find(';'));
  CHECK(world.get("/api/v1/latest?series=memory/total", {{"cookie", "a=b; " + sent}}).status == 200);
  CHECK(world.get("/api/v1/latest?series=memory/total", {{"cookie", "countertop_session=x"}}).status == 401);
  std::map<std::string, std::string> headers{{"cookie", sent}, {"content-type", "application/json"}};
  const std::string body = R"({"text":"hello"})";
  CHECK(world.send("POST", "/api/v1/marks", headers, body).status == 201);
  headers["origin"] = "http://localhost:7177";
  CHECK(world.send("POST", "/api/v1/marks", headers, body).status == 201);
  headers["origin"] = "http://evil.example";
  CHECK(world.send("POST", "/api/v1/marks", headers, body).status == 403);
  headers["origin"] = "http://localhost:7177";
  headers["sec-fetch-site"] = "cross-site";
  CHECK(world.send("POST", "/api/v1/marks", headers, body).status == 403);
}

TEST_CASE("Tokens are compared whole", "[gate]") {
  CHECK(api::equal_in_constant_time("abc", "abc"));
  CHECK_FALSE(api::equal_in_constant_time("abcabc", "abc"));
  CHECK_FALSE(api::equal_in_constant_time("ab", "abc"));
  CHECK_FALSE(api::equal_in_constant_time("", ""));
  CHECK_FALSE(api::equal_in_constant_time("abd", "abc"));
}
