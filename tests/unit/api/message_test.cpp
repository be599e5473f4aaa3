#include "server/api/message.hpp"

#include <catch_amalgamated.hpp>

using namespace countertop::api;

TEST_CASE("A target is split into a path as sent and decoded parameters", "[message]") {
  Request request;
  set_target(request, "/api/v1/objects/a%2Fb?series=cpu(total)%2Fbusy&from=2026-11-01T00:00:00+01:00&x#part");
  CHECK(request.path == "/api/v1/objects/a%2Fb");
  REQUIRE(request.query.size() == 3);
  CHECK(request.query[0] == NameValue{"series", "cpu(total)/busy"});
  CHECK(request.query[1] == NameValue{"from", "2026-11-01T00:00:00 01:00"});
  CHECK(request.query[2] == NameValue{"x", ""});
}

TEST_CASE("A percent sign without two digits stands for itself", "[message]") {
  CHECK(percent_decode("% Processor Time", false) == "% Processor Time");
  CHECK(percent_decode("100%", false) == "100%");
  CHECK(percent_decode("%4", false) == "%4");
  CHECK(percent_decode("%41%zz", false) == "A%zz");
  CHECK(percent_decode("a+b", true) == "a b");
  CHECK(percent_decode("a+b", false) == "a+b");
}

TEST_CASE("What is encoded for an address decodes to the same", "[message]") {
  const std::string text = "\\Processor(_Total)\\% Processor Time & caf\xC3\xA9 #1";
  CHECK(percent_decode(percent_encode(text), true) == text);
}

TEST_CASE("An empty target is the root", "[message]") {
  Request request;
  set_target(request, "");
  CHECK(request.path == "/");
  set_target(request, "?a=1");
  CHECK(request.path == "/");
}
