#include <zlib.h>

#include <catch_amalgamated.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/api_world.hpp"

using namespace countertop;
using nlohmann::json;
using test::ApiWorld;
using test::kNowMs;

namespace {

const std::string kBusy = "/api/v1/query?series=cpu(total)/busy";
const std::string kClosed = "&from=1764503400&to=1764503420";

std::string gunzip(const std::string& packed) {
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
  std::string text(10'000'000, '\0');
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<unsigned char*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string_view line : api::split(text, '\n')) lines.emplace_back(line);
  return lines;
}

}  // namespace

TEST_CASE("A query answers in columns", "[query]") {
  ApiWorld world;
  world.history.warnings = {"low"};
  world.history.gaps = {{{1'764'503'400'000, 1'764'503'405'000}, "the computer was asleep"}};
  const auto response = world.get(kBusy + "&from=1764503400&to=1764503460&step=30s&agg=avg,min,max,count");
  CHECK(response.status == 200);
  const json answer = json::parse(response.body);
  CHECK(answer["from"] == 1'764'503'400);
  CHECK(answer["to"] == 1'764'503'460);
  CHECK(answer["step"] == 30);
  CHECK(answer["tz"] == "UTC");
  CHECK(answer["tier"] == "1s");
  CHECK(answer["time"] == json({1'764'503'400, 1'764'503'430}));
  const json& series = answer["series"][0];
  CHECK(series["path"] == "cpu(total)/busy");
  CHECK(series["object"] == "cpu");
  CHECK(series["instance"] == "total");
  CHECK(series["counter"] == "busy");
  CHECK(series["unit"] == "%");
  CHECK(series["type"] == "PERF_SAMPLE_FRACTION");
  CHECK(series["avg"] == json({14.5, 44.5}));
  CHECK(series["min"] == json({0, 30}));
  CHECK(series["max"] == json({29, 59}));
  CHECK(series["count"] == json({30, 30}));
  CHECK(answer["gaps"][0]["reason"] == "the computer was asleep");
  CHECK(answer["gaps"][0]["from"] == 1'764'503'400);
  CHECK(answer["warnings"] == json({"low"}));
}

TEST_CASE("An object without instances has instance null", "[query]") {
  ApiWorld world;
  const json answer = json::parse(world.get("/api/v1/query?series=memory/used" + kClosed).body);
  CHECK(answer["series"][0]["instance"].is_null());
  CHECK(answer["step"] == 0);
  CHECK(answer["time"].size() == 20);
}

TEST_CASE("Missing values are null in JSON and empty in CSV", "[query]") {
  ApiWorld world;
  world.history.value = [](std::string_view, std::int64_t t) { return t % 2000 == 0 ? 1.5 : std::nan(""); };
  const std::string range = "&from=1764503400&to=1764503403";
  CHECK(json::parse(world.get(kBusy + range).body)["series"][0]["avg"] == json({1.5, nullptr, 1.5}));
  CHECK(world.get(kBusy + range + "&format=csv").body ==
        "time,cpu(total)/busy [%]\n1764503400,1.5\n1764503401,\n1764503402,1.5\n");
}

TEST_CASE("CSV names the aggregate where there are several, and its columns are those of JSON", "[query]") {
  ApiWorld world;
  const auto response = world.get("/api/v1/query.csv?series=cpu(*)/busy&agg=avg,max&step=10s" + kClosed);
  const auto lines = lines_of(response.body);
  CHECK(lines[0] ==
        "time,cpu(0)/busy.avg [%],cpu(0)/busy.max [%],cpu(1)/busy.avg [%],cpu(1)/busy.max "
        "[%],cpu(total)/busy.avg [%],"
        "cpu(total)/busy.max [%]");
  CHECK(lines[1] == "1764503400,4.5,9,4.5,9,4.5,9");
  CHECK(lines.size() == 4);
}

TEST_CASE("Names that would be formulas, or break a cell, do not", "[query]") {
  ApiWorld world;
  const auto lines = lines_of(
      world.get("/api/v1/query.csv?series=disk(*)/*&layout=long&from=1764503400&to=1764503401").body);
  CHECK(lines[0] == "time,path,unit,agg,value");
  CHECK(lines[1].starts_with("1764503400,disk(vda)/read bytes/s,bytes/s,avg,"));
  CHECK(lines[3].starts_with("1764503400,\"disk(a\"\"b,c)/read bytes/s\",bytes/s,avg,"));
}

TEST_CASE("NDJSON has one flat object a line", "[query]") {
  ApiWorld world;
  world.history.warnings = {"caf\xC3\xA9\r\nX: y"};
  const auto response =
      world.get("/api/v1/query.ndjson?series=cpu(0)/busy&time=iso&tz=Asia/Kathmandu" + kClosed);
  const auto lines = lines_of(response.body);
  CHECK(json::parse(lines[0]) == json({{"time", "2025-11-30T17:35:00+05:45"}, {"cpu(0)/busy", 0}}));
  CHECK(lines.size() == 21);
  CHECK(response.header("Countertop-Warning") == "caf????X: y");
}

TEST_CASE("raw=1 shows both readings and the formula that gives the value", "[query]") {
  ApiWorld world;
  const json answer = json::parse(world.get(kBusy + "&raw=1&from=1764503401&to=1764503403").body);
  const json& raw = answer["series"][0]["raw"];
  CHECK(raw["formula"].get<std::string>().find("N1 - N0") != std::string::npos);
  CHECK(raw["older"]["time"] == json({1'764'503'400, 1'764'503'401}));
  CHECK(raw["newer"]["time"] == json({1'764'503'401, 1'764'503'402}));
  CHECK(raw["older"]["value"] == json({100, 100}));
  CHECK(raw["newer"]["value"] == json({101, 102}));
  CHECK(raw["time_base"]["frequency"] == json({10'000, 10'000}));
  CHECK(raw["time_base"]["newer"].size() == 2);
}

TEST_CASE("fill=prev carries a value on but never across a gap, fill=none leaves empty rows out", "[query]") {
  ApiWorld world;
  world.history.value = [](std::string_view, std::int64_t time_ms) {
    const std::int64_t second = time_ms / 1000 % 60;
    return second == 0 || second == 4 ? static_cast<double>(second) : std::nan("");
  };
  const std::string query = kBusy + "&from=1764503400&to=1764503406&step=1s&agg=avg,count";
  CHECK(json::parse(world.get(query).body)["series"][0]["avg"] ==
        json({0, nullptr, nullptr, nullptr, 4, nullptr}));
  const json carried = json::parse(world.get(query + "&fill=prev").body);
  CHECK(carried["series"][0]["avg"] == json({0, 0, 0, 0, 4, 4}));
  CHECK(carried["series"][0]["count"] == json({1, 0, 0, 0, 1, 0}));
  const json present = json::parse(world.get(query + "&fill=none").body);
  CHECK(present["time"] == json({1'764'503'400, 1'764'503'404}));
  CHECK(present["series"][0]["avg"] == json({0, 4}));

  world.history.gaps = {{{1'764'503'402'000, 1'764'503'403'000}, "the computer was asleep"}};
  CHECK(json::parse(world.get(query + "&fill=prev").body)["series"][0]["avg"] ==
        json({0, 0, nullptr, nullptr, 4, 4}));
  const auto refused = world.get(query + "&fill=previous");
  CHECK(refused.status == 400);
  CHECK(refused.body.find("prev") != std::string::npos);
}

TEST_CASE("A value carried on by fill=prev brings its own two readings with it", "[query]") {
  ApiWorld world;
  world.history.value = [](std::string_view, std::int64_t time_ms) {
    return time_ms == 1'764'503'402'000 ? std::nan("") : 7.0;
  };
  const std::string query = kBusy + "&raw=1&from=1764503401&to=1764503404";
  CHECK(json::parse(world.get(query).body)["series"][0]["avg"] == json({7, nullptr, 7}));
  const json carried = json::parse(world.get(query + "&fill=prev").body)["series"][0];
  CHECK(carried["avg"] == json({7, 7, 7}));
  CHECK(carried["raw"]["newer"]["time"] == json({1'764'503'401, 1'764'503'401, 1'764'503'403}));
}

TEST_CASE("An unknown series is 404 and says where to look", "[query]") {
  ApiWorld world;
  const auto response = world.get("/api/v1/query?series=nothing/here");
  CHECK(response.status == 404);
  CHECK(json::parse(response.body)["errors"][0]["parameter"] == "series");
  CHECK(world.get("/api/v1/query").status == 400);
  CHECK(world.get("/api/v1/query?series=nonsense").status == 400);
}

TEST_CASE("Too many points say so with a step that fits", "[query]") {
  ApiWorld world;
  const auto response = world.get(kBusy + "&from=1970-01-02&to=now&step=1s");
  CHECK(response.status == 413);
  CHECK(json::parse(response.body)["fix"].get<std::string>().find("points=") != std::string::npos);
}

TEST_CASE("A closed range has a strong tag and gives 304; a relative one may not be kept", "[caching]") {
  ApiWorld world;
  const auto first = world.get(kBusy + kClosed);
  const std::string tag(first.header("ETag"));
  CHECK(tag.starts_with('"'));
  CHECK(first.header("Cache-Control") == "private, max-age=86400");
  const auto again = world.get(kBusy + kClosed, {{"if-none-match", "\"other\", " + tag}});
  CHECK(again.status == 304);
  CHECK(again.body.empty());
  CHECK(again.header("ETag") == tag);
  CHECK(again.header("Content-Type").empty());
  world.history.value = [](std::string_view, std::int64_t) { return 7.0; };  // something came late
  CHECK(world.get(kBusy + kClosed, {{"if-none-match", tag}}).status == 200);
  CHECK(world.get(kBusy + "&from=-2h&to=-1h").header("Cache-Control") == "private, no-cache");
}

TEST_CASE("An open range has a weak tag that holds until the next sample", "[caching]") {
  ApiWorld world;
  world.tick();
  const auto first = world.get(kBusy);
  const std::string tag(first.header("ETag"));
  CHECK(tag.starts_with("W/"));
  CHECK(first.header("Cache-Control") == "no-cache");
  CHECK(world.get(kBusy, {{"if-none-match", tag}}).status == 304);
  CHECK(world.get(kBusy + "&agg=max", {{"if-none-match", tag}}).status == 200);
  world.tick();
  CHECK(world.get(kBusy, {{"if-none-match", tag}}).status == 200);
}

TEST_CASE("An answer is compressed for those who take it, with a tag of its own", "[gzip]") {
  ApiWorld world;
  const auto plain = world.get(kBusy + "&from=-1h&to=-10m", {{"accept-encoding", "br, gzip;q=0"}});
  CHECK(plain.header("Content-Encoding").empty());
  CHECK(plain.header("Vary").find("Accept-Encoding") != std::string::npos);
  const auto packed = world.get(kBusy + "&from=-1h&to=-10m", {{"accept-encoding", "br, gzip"}});
  CHECK(packed.header("Content-Encoding") == "gzip");
  CHECK(packed.header("ETag").ends_with("-gz\""));
  CHECK(packed.body.size() < plain.body.size() / 3);
  CHECK(gunzip(packed.body) == plain.body);
  CHECK(world.get(kBusy + "&from=-1h&to=-10m", {{"if-none-match", std::string(packed.header("ETag"))}})
            .status == 304);
  CHECK(world.get(kBusy + kClosed + "&step=20s", {{"accept-encoding", "gzip"}})
            .header("Content-Encoding")
            .empty());
}

TEST_CASE("A stream is compressed as it is written, and one that breaks off has no end", "[gzip][export]") {
  ApiWorld world;
  const std::string target = "/api/v1/export.csv?series=cpu(0)/busy&from=-1d&to=-1h";
  const std::string plain = test::run_stream(world.get(target)).text;
  const auto response = world.get(target, {{"accept-encoding", "gzip"}});
  CHECK(response.header("Content-Encoding") == "gzip");
  const auto packed = test::run_stream(response);
  CHECK(packed.text.size() < plain.size() / 3);
  CHECK(gunzip(packed.text) == plain);
  world.history.export_fails_after = 50'000;
  const auto broken = test::run_stream(world.get(target, {{"accept-encoding", "gzip"}}));
  CHECK(broken.end == api::StreamEnd::broken);
  CHECK(broken.text.size() < packed.text.size());
}

TEST_CASE("Failures of the history are told, and never as 500", "[query]") {
  ApiWorld world;
  for (const ErrorCode code : {ErrorCode::busy, ErrorCode::cancelled, ErrorCode::io, ErrorCode::malformed,
                               ErrorCode::internal, ErrorCode::unavailable, ErrorCode::no_space}) {
    world.history.failure = Error{code, "It did not work.", "Do this.", 0};
    const auto response = world.get(kBusy);
    CHECK(response.status != 500);
    CHECK(response.status >= 400);
    const json problem = json::parse(response.body);
    CHECK(problem["detail"] == "It did not work.");
    CHECK(problem["fix"] == "Do this.");
    if (response.status == 503) CHECK_FALSE(response.header("Retry-After").empty());
  }
}

TEST_CASE("A request that is ended gets 503", "[query]") {
  ApiWorld world;
  world.history.waits_for_stop = true;
  std::stop_source stop;
  stop.request_stop();
  api::Request request;
  api::set_target(request, kBusy);
  request.headers = {{"host", "localhost"}};
  request.stop = stop.get_token();
  CHECK(world.api->handle(request).status == 503);
}
