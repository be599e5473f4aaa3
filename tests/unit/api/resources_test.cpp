#include <catch_amalgamated.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/api_world.hpp"

using namespace countertop;
using nlohmann::json;
using test::ApiWorld;
using test::kNowMs;

namespace {

json get_json(ApiWorld& world, const std::string& target) {
  const auto response = world.get(target);
  INFO(response.body);
  REQUIRE(response.status == 200);
  return json::parse(response.body);
}

}  // namespace

TEST_CASE("The newest values come with unit and time, and a reason where there is none", "[latest]") {
  ApiWorld world;
  CHECK(world.get("/api/v1/latest?series=memory/used").status == 503);
  world.tick();
  json answer = get_json(world, "/api/v1/latest?series=memory/used&series=cpu(0)/busy");
  CHECK(answer["time"] == kNowMs / 1000);
  CHECK(answer["series"][0] ==
        json({{"path", "memory/used"}, {"value", 600}, {"unit", "bytes"}, {"time", kNowMs / 1000}}));
  CHECK(answer["series"][1]["value"].is_null());
  CHECK_FALSE(answer["series"][1]["reason"].get<std::string>().empty());
  world.tick();
  answer = get_json(world, "/api/v1/latest?series=cpu(0)/busy&raw=1");
  CHECK(answer["series"][0]["value"] == 25);
  CHECK(answer["series"][0]["raw"]["older"]["value"] == 25);
  CHECK(answer["series"][0]["raw"]["newer"]["base"] == 200);
}

TEST_CASE("Without series everything comes but the processes", "[latest]") {
  ApiWorld world;
  world.tick();
  const json answer = get_json(world, "/api/v1/latest");
  CHECK(answer["series"].size() == 3 * 2 + 3 + 3);
  for (const json& series : answer["series"])
    CHECK_FALSE(series["path"].get<std::string>().starts_with("process"));
}

TEST_CASE("Latest as CSV has a row for each value", "[latest]") {
  ApiWorld world;
  world.tick();
  CHECK(world.get("/api/v1/latest.csv?series=memory/total").body ==
        "time,path,value,unit,reason\n1764504000,memory/total,1000,bytes,\n");
  CHECK(world.get("/api/v1/latest?series=nothing/x").status == 404);
}

TEST_CASE("Objects, their counters and instances can be listed", "[objects]") {
  ApiWorld world;
  world.tick();
  const json objects = get_json(world, "/api/v1/objects")["objects"];
  REQUIRE(objects.size() == 4);
  CHECK(objects[0]["name"] == "cpu");
  CHECK(objects[0]["instances"] == 3);
  CHECK(objects[0]["counters"] == 2);
  CHECK(objects[0]["live"] == true);
  const json disk = get_json(world, "/api/v1/objects/disk");
  CHECK(disk["counters"][0]["name"] == "read bytes/s");
  CHECK(disk["counters"][0]["unit"] == "bytes/s");
  CHECK(disk["counters"][0]["type"] == "PERF_COUNTER_BULK_COUNT");
  CHECK_FALSE(disk["counters"][0]["help"].get<std::string>().empty());
  CHECK(disk["counters"][0]["formula"].get<std::string>().find("512") != std::string::npos);
  const auto missing = world.get("/api/v1/objects/disc");
  CHECK(missing.status == 404);
  CHECK(json::parse(missing.body)["fix"].get<std::string>().find("disk") != std::string::npos);
  CHECK(world.get("/api/v1/objects.csv").body.starts_with("name,help,instanced"));
}

TEST_CASE("Instances come in pages that a cursor joins", "[objects]") {
  ApiWorld world;
  world.tick();
  json page = get_json(world, "/api/v1/objects/disk/instances?limit=2");
  CHECK(page["instances"].size() == 2);
  CHECK(page["instances"][0]["name"] == "=cmd()");
  CHECK(page["instances"][0]["live"] == true);
  const std::string next = page["next"];
  CHECK(next.starts_with("/api/v1/objects/disk/instances?limit=2&cursor="));
  CHECK(world.get("/api/v1/objects/disk/instances?limit=2").header("Link") == "<" + next + ">; rel=\"next\"");
  page = get_json(world, next);
  CHECK(page["instances"].size() == 1);
  CHECK(page["instances"][0]["name"] == "vda");
  CHECK(page["next"].is_null());
  CHECK(world.get("/api/v1/objects/disk/instances?cursor=zz").status == 400);
  CHECK(world.get("/api/v1/objects/disk/instances?limit=0").status == 400);
}

TEST_CASE("Processes are sorted by what is asked, now and in the past", "[processes]") {
  ApiWorld world;
  CHECK(get_json(world, "/api/v1/processes")["items"].empty());
  world.tick();
  world.tick();
  json answer = get_json(world, "/api/v1/processes?sort=cpu");
  CHECK(answer["total"] == 3);
  CHECK(answer["items"][0]["pid"] == 813);
  CHECK(answer["items"][0]["name"] == "nginx");
  CHECK(answer["items"][0]["start"] == 1'764'500'000);
  CHECK(answer["items"][0]["resident_bytes"] == 8192);
  CHECK(answer["items"][2]["name"] == "a) S 1 (b");
  CHECK(get_json(world, "/api/v1/processes?sort=-cpu&limit=1")["items"][0]["pid"] == 14);
  CHECK(get_json(world, "/api/v1/processes?sort=name")["items"][0]["pid"] == 14);
  CHECK(world.get("/api/v1/processes?sort=cpuu").status == 400);
  CHECK(world.get("/api/v1/processes?sort=cpuu").body.find("\"did_you_mean\":\"cpu\"") != std::string::npos);

  world.history.process_table = {kNowMs - 60'000,
                                 {"cpu"},
                                 {"% of one CPU"},
                                 {{"old", 7, 100, {std::nan("")}, true}, {"older", 8, 90, {1.0}, false}}};
  answer = get_json(world, "/api/v1/processes?at=-60s");
  CHECK(answer["time"] == kNowMs / 1000 - 60);
  CHECK(answer["items"][0]["name"] == "older");
  CHECK(answer["items"][1]["cpu"].is_null());
  CHECK(answer["items"][1]["brief"] == true);
  CHECK(world.get("/api/v1/processes?at=sometime").status == 400);
  CHECK(world.get("/api/v1/processes.csv?at=-60s").body ==
        "name,pid,start,cpu [% of one CPU],brief\nolder,8,90,1,false\nold,7,100,,true\n");
}

TEST_CASE("Marks come in pages that a cursor joins", "[marks]") {
  ApiWorld world;
  for (int i = 0; i < 5; ++i) {
    const std::string body = R"({"text":"note","time":)" + std::to_string(1'764'503'990 + i / 2) + "}";
    REQUIRE(world.write("POST", "/api/v1/marks", body).status == 201);
  }
  std::string address = "/api/v1/marks?limit=2";
  std::vector<std::int64_t> ids;
  while (!address.empty()) {
    const json page = get_json(world, address);
    CHECK(page["marks"].size() <= 2);
    for (const json& mark : page["marks"]) ids.push_back(mark["id"]);
    address = page["next"].is_null() ? "" : page["next"].get<std::string>();
  }
  CHECK(ids == std::vector<std::int64_t>{1, 2, 3, 4, 5});
}

TEST_CASE("Notes are written, listed and deleted", "[marks]") {
  ApiWorld world;
  const auto made = world.write("POST", "/api/v1/marks", R"({"text":"deploy =1","time":1764503990})");
  CHECK(made.status == 201);
  CHECK(made.header("Location") == "/api/v1/marks/1");
  CHECK(json::parse(made.body)["kind"] == "note");
  const json marks = get_json(world, "/api/v1/marks")["marks"];
  REQUIRE(marks.size() == 1);
  CHECK(marks[0]["time"] == 1'764'503'990);
  CHECK(marks[0]["text"] == "deploy =1");
  CHECK(world.marks.newer_than(0).size() == 1);
  CHECK(world.write("DELETE", "/api/v1/marks/1").status == 204);
  CHECK(world.write("DELETE", "/api/v1/marks/1").status == 404);
  CHECK(world.write("DELETE", "/api/v1/marks/one").status == 404);
  CHECK(get_json(world, "/api/v1/marks")["marks"].empty());
}

TEST_CASE("A note that is not understood is refused, with the form", "[marks]") {
  ApiWorld world;
  const std::string long_text = R"({"text":")" + std::string(2000, 'x') + R"("})";
  for (const std::string& body :
       {std::string("{"), std::string("[]"), std::string("{}"), std::string(R"({"text":5})"),
        std::string(R"({"text":""})"), std::string(R"({"text":"a","tme":1})"),
        std::string(R"({"text":"a","time":[]})"), std::string(R"({"text":"a","time":"soon"})"),
        std::string(R"({"text":"a","time":1e99})"), std::string(R"({"text":"a","kind":"start"})"),
        std::string("{\"text\":\"\xFF\"}"), long_text, std::string(100'000, '[')}) {
    INFO(body.substr(0, 60));
    const auto response = world.write("POST", "/api/v1/marks", body);
    CHECK(response.status == 400);
    CHECK(json::parse(response.body)["fix"].get<std::string>().find("\"text\"") != std::string::npos);
  }
}

TEST_CASE("The status tells what is wrong and what it costs", "[status]") {
  ApiWorld world;
  CollectorStatus collector;
  collector.name = "process";
  collector.state = CollectorState::failing;
  collector.reason = "no right";
  collector.failures = 3;
  world.status.collectors = {collector};
  world.status.store.max_bytes = 100;
  world.status.store.oldest_minute_ms = 5000;
  world.status.store.warnings = {"low"};
  world.status.writer.warnings = {"low", "worn"};
  world.status.self = {{"cpu_percent", 0.5}, {"unknown", std::nan("")}};
  world.status.missing_rights = {{"disk use of processes", "not root", "setcap ..."}};
  const json status = get_json(world, "/api/v1/status");
  CHECK(status["version"] == "0.1.0");
  CHECK(status["uptime_s"] == 5);
  CHECK(status["collectors"][0]["state"] == "failing");
  CHECK(status["collectors"][0]["reason"] == "no right");
  CHECK(status["store"]["oldest"] == 5);
  CHECK(status["store"]["days_left"].is_null());
  CHECK(status["self"]["cpu_percent"] == 0.5);
  CHECK(status["self"]["unknown"].is_null());
  CHECK(status["missing_rights"][0]["command"] == "setcap ...");
  CHECK(status["warnings"] == json({"low", "worn"}));
}

TEST_CASE("Health is about the program, readiness about its data", "[status]") {
  ApiWorld world;
  world.status.not_ready = "The first reading is not there yet.";
  CHECK(world.get("/healthz").status == 200);
  const auto waiting = world.get("/readyz");
  CHECK(waiting.status == 503);
  CHECK(waiting.body == "The first reading is not there yet.\n");
  world.status.not_ready.clear();
  CHECK(world.get("/readyz").status == 200);
}
