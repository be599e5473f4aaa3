#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>

#include "server/api/resources.hpp"
#include "tests/support/api_world.hpp"

using namespace countertop;
using test::ApiWorld;

TEST_CASE("An unknown address is 404 and names a near one", "[router]") {
  ApiWorld world;
  const auto response = world.get("/api/v1/querry");
  CHECK(response.status == 404);
  CHECK(nlohmann::json::parse(response.body)["fix"].get<std::string>().find("/api/v1/query") !=
        std::string::npos);
  CHECK(world.get("/api/v2/query").status == 404);
  CHECK(world.get("/api/v1/objects//instances").status == 404);
  CHECK(world.get("/api/v1/status.csv").status == 404);
}

TEST_CASE("A known address with another method is 405 and says which it takes", "[router]") {
  ApiWorld world;
  const auto response = world.write("DELETE", "/api/v1/query");
  CHECK(response.status == 405);
  CHECK(response.header("Allow") == "GET, HEAD");
  CHECK(world.write("PUT", "/api/v1/marks").header("Allow") == "GET, HEAD, POST");
}

TEST_CASE("Names in a path are decoded, and a format's ending is taken off", "[router]") {
  api::Request request;
  request.path = "/api/v1/objects/a%20b.c/instances.csv";
  const auto found = api::find_route(api::routes(), request);
  REQUIRE(found);
  CHECK(found->captures == std::vector<std::string>{"a b.c"});
  CHECK(found->suffix == "csv");
  request.path = "/api/v1/openapi.json";
  CHECK(api::find_route(api::routes(), request)->suffix.empty());
}

TEST_CASE("Each route is reached by its own pattern", "[router]") {
  for (const api::Route& route : api::routes()) {
    api::Request request;
    request.method = route.method;
    request.path = route.pattern;
    const auto found = api::find_route(api::routes(), request);
    REQUIRE(found);
    CHECK(found->route == &route);
  }
}
