#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/api_world.hpp"

using namespace countertop;
using test::ApiWorld;

namespace {

nlohmann::json problem_of(const api::Response& response, int status) {
  CHECK(response.status == status);
  CHECK(response.header("Content-Type") == "application/problem+json");
  auto json = nlohmann::json::parse(response.body);
  CHECK(json["status"] == status);
  return json;
}

}  // namespace

TEST_CASE("An unknown parameter is refused, with the nearest known one", "[parameters]") {
  ApiWorld world;
  world.tick();
  const auto problem = problem_of(world.get("/api/v1/query?serie=cpu(total)/busy"), 400);
  CHECK(problem["errors"][0]["parameter"] == "serie");
  CHECK(problem["errors"][0]["did_you_mean"] == "series");
  CHECK(problem["fix"].get<std::string>().find("series") != std::string::npos);
  problem_of(world.get("/api/v1/status?x=1"), 400);
}

TEST_CASE("A parameter given twice, or with its alias, is refused", "[parameters]") {
  ApiWorld world;
  world.tick();
  const std::string query = "/api/v1/query?series=cpu(total)/busy";
  problem_of(world.get(query + "&from=-1h&from=-2h"), 400);
  const auto problem = problem_of(world.get(query + "&from=-1h&start=-2h"), 400);
  CHECK(problem["errors"][0]["parameter"] == "start");
  CHECK(problem["errors"][0]["detail"].get<std::string>().find("'from'") != std::string::npos);
  problem_of(world.get(query + "&points=5&maxDataPoints=5"), 400);
  problem_of(world.get(query + "&points=5&step=10s"), 400);
}

TEST_CASE("Every alias of a time gives the same bytes", "[parameters]") {
  ApiWorld world;
  world.tick();
  const std::string query = "/api/v1/query.csv?series=cpu(total)/busy&step=10s";
  const std::string expected = world.get(query + "&from=1764503400&to=1764503500").body;
  CHECK(expected.size() > 100);
  CHECK(world.get(query + "&start=1764503400&end=1764503500").body == expected);
  CHECK(world.get(query + "&after=1764503400&before=1764503500").body == expected);
  CHECK(world.get(query + "&from=1764503400000&to=1764503500000").body == expected);
  CHECK(world.get(query + "&from=2025-11-30T11:50:00Z&to=2025-11-30T12:51:40%2B01:00").body == expected);
  CHECK(world.get(query + "&from=-10m&to=-500").body == expected);
  CHECK(world.get(query + "&from=now-10m&to=now-500s").body == expected);
  CHECK(world.get(query + "&from=2025-11-30T12:50:00&to=2025-11-30T12:51:40&tz=Europe/Berlin").body ==
        expected);
}

TEST_CASE("Wrong values name their parameter and say what is right", "[parameters]") {
  ApiWorld world;
  world.tick();
  const std::string query = "/api/v1/query?series=cpu(total)/busy&";
  for (const char* wrong :
       {"from=soon",       "to=%FF",          "step=0",        "step=fast", "points=0",   "points=-1",
        "points=1e3",      "agg=mean",        "agg=avg,avg",   "agg=",      "format=xml", "time=local",
        "tz=Mars/Olympus", "sep=x",           "decimal=;",     "bom=maybe", "header=2",   "layout=tall",
        "raw=7",           "from=-1h&to=-2h", "raw=1&step=10s"}) {
    INFO(wrong);
    const auto problem = problem_of(world.get(query + wrong), 400);
    CHECK_FALSE(problem["errors"].empty());
    CHECK_FALSE(problem["detail"].get<std::string>().empty());
  }
  const auto problem = problem_of(world.get(query + "agg=average"), 400);
  CHECK(problem["fix"].get<std::string>().find("p95") != std::string::npos);
}

TEST_CASE("Suffix, format and Accept choose the form; a contradiction is refused", "[presentation]") {
  ApiWorld world;
  world.tick();
  const std::string rest = "?series=memory/total";
  const auto type = [&](const std::string& target, const std::string& accept) {
    return std::string(world.get(target, {{"accept", accept}}).header("Content-Type"));
  };
  CHECK(type("/api/v1/latest" + rest, "*/*") == "application/json");
  CHECK(type("/api/v1/latest.csv" + rest, "*/*") == "text/csv; charset=utf-8");
  CHECK(type("/api/v1/latest.tsv" + rest, "") == "text/tab-separated-values; charset=utf-8");
  CHECK(type("/api/v1/latest" + rest + "&format=ndjson", "text/csv") == "application/x-ndjson");
  CHECK(type("/api/v1/latest" + rest, "text/html, text/csv;q=0.8, application/json;q=0.5") ==
        "text/csv; charset=utf-8");
  CHECK(type("/api/v1/latest" + rest, "text/html,application/xhtml+xml") == "application/json");
  CHECK(type("/api/v1/latest.csv" + rest + "&format=csv", "") == "text/csv; charset=utf-8");
  problem_of(world.get("/api/v1/latest.csv" + rest + "&format=json"), 400);
}

TEST_CASE("A decimal comma changes the separator too, unless one is named", "[presentation]") {
  ApiWorld world;
  world.tick();
  world.tick();
  const std::string target = "/api/v1/latest.csv?series=cpu(0)/busy&header=0&decimal=,";
  world.history.value = {};
  CHECK(world.get(target).body.find(";25;") != std::string::npos);
  CHECK(world.get(target + "&sep=tab").body.find("\t25\t") != std::string::npos);
}
