#include <catch_amalgamated.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/api_world.hpp"

using namespace countertop;
using nlohmann::json;
using test::ApiWorld;

namespace {

const std::string kRange = "?series=cpu(0)/busy&series=memory/used&from=1764503400&to=1764503500";

}  // namespace

TEST_CASE("An export has every row in each format", "[export]") {
  ApiWorld world;
  const auto csv = test::run_stream(world.get("/api/v1/export.csv" + kRange));
  CHECK(csv.end == api::StreamEnd::complete);
  CHECK(csv.text.starts_with("time,cpu(0)/busy [%],memory/used [bytes]\n1764503400,0,0\n"));
  CHECK(std::ranges::count(csv.text, '\n') == 101);
  const auto lines = test::run_stream(world.get("/api/v1/export.ndjson" + kRange));
  CHECK(std::ranges::count(lines.text, '\n') == 100);
  CHECK(json::parse(lines.text.substr(0, lines.text.find('\n')))["memory/used"] == 0);
  const json whole = json::parse(test::run_stream(world.get("/api/v1/export" + kRange)).text);
  CHECK(whole["rows"].size() == 100);
  CHECK(whole["rows"][1] == json({1'764'503'401, 1, 1}));
  CHECK(whole["series"][1]["path"] == "memory/used");
  CHECK(whole["complete"] == true);
  const auto rows = test::run_stream(world.get("/api/v1/export.csv" + kRange + "&layout=long"));
  CHECK(std::ranges::count(rows.text, '\n') == 201);
}

TEST_CASE("check=1 ends an export with the number of its rows", "[export]") {
  ApiWorld world;
  CHECK(test::run_stream(world.get("/api/v1/export.csv" + kRange + "&check=1"))
            .text.ends_with("\n# rows: 100\n"));
  CHECK(test::run_stream(world.get("/api/v1/export.ndjson" + kRange + "&check=1"))
            .text.ends_with("\n{\"rows\":100}\n"));
  CHECK(json::parse(test::run_stream(world.get("/api/v1/export" + kRange)).text)["row_count"] == 100);
  world.history.export_fails_after = 50;
  CHECK(test::run_stream(world.get("/api/v1/export.csv" + kRange + "&check=1")).text.find("# rows") ==
        std::string::npos);
}

TEST_CASE("An export that breaks off is never taken for a whole one", "[export]") {
  ApiWorld world;
  world.history.export_fails_after = 50;
  CHECK(test::run_stream(world.get("/api/v1/export.csv" + kRange)).end == api::StreamEnd::broken);
  const auto lines = test::run_stream(world.get("/api/v1/export.ndjson" + kRange));
  CHECK(lines.end == api::StreamEnd::broken);
  const std::string last = lines.text.substr(lines.text.rfind('\n', lines.text.size() - 2) + 1);
  CHECK(json::parse(last)["error"]["detail"] == "The disk is broken.");
  const auto whole = test::run_stream(world.get("/api/v1/export" + kRange));
  CHECK(whole.end == api::StreamEnd::broken);
  CHECK_FALSE(json::accept(whole.text));
}

TEST_CASE("An export is written in pieces, whatever its length", "[export]") {
  ApiWorld world;
  const auto response = world.get("/api/v1/export.csv?series=cpu(*)/*&from=-7d");
  std::size_t largest = 0, total = 0, pieces = 0;
  const auto end = response.stream(
      [&](std::string_view text) {
        largest = std::max(largest, text.size());
        total += text.size();
        ++pieces;
        return true;
      },
      {});
  CHECK(end == api::StreamEnd::complete);
  CHECK(total > 10'000'000);
  CHECK(largest < 100'000);
  CHECK(pieces > 100);
}

TEST_CASE("An export ends when its reader goes", "[export]") {
  ApiWorld world;
  const auto response = world.get("/api/v1/export.csv?series=cpu(*)/*&from=-30d");
  int pieces = 0;
  const auto end = response.stream([&](std::string_view) { return ++pieces < 3; }, {});
  CHECK(end == api::StreamEnd::broken);
  CHECK(pieces == 3);
}

TEST_CASE("Mistakes are told before the first byte, and exports are few at a time", "[export]") {
  ApiWorld world;
  CHECK(world.get("/api/v1/export.csv?series=nothing/x").status == 404);
  CHECK(world.get("/api/v1/export.csv").status == 400);
  CHECK(world.get("/api/v1/export.csv?series=memory/used&step=1s").status == 400);
  const auto first = world.get("/api/v1/export.csv" + kRange);
  const auto second = world.get("/api/v1/export.csv" + kRange);
  CHECK(second.status == 200);
  CHECK(second.header("Content-Disposition") ==
        "attachment; filename=\"countertop-1764503400-1764503500.csv\"");
  CHECK(world.get("/api/v1/export.csv" + kRange).status == 429);
}
