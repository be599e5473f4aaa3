#include "server/app/value_text.hpp"

#include <catch_amalgamated.hpp>

using namespace countertop::app;
using std::chrono::milliseconds;

TEST_CASE("durations are read with their unit") {
  CHECK(parse_duration("250ms") == milliseconds(250));
  CHECK(parse_duration("1s") == milliseconds(1000));
  CHECK(parse_duration("1.5h") == milliseconds(5'400'000));
  CHECK(parse_duration("30d") == milliseconds(30LL * 86'400'000));
  CHECK(parse_duration("1y") == milliseconds(365LL * 86'400'000));
  CHECK(parse_duration("10 s") == milliseconds(10'000));
}

TEST_CASE("a duration without unit, negative or too large is refused") {
  for (const char* text : {"", "10", "-1s", "1parsec", "s", "nan s", "inf s", "1e300y", "1s 2s"}) {
    INFO(text);
    CHECK_FALSE(parse_duration(text));
  }
}

TEST_CASE("sizes are read in binary and decimal units") {
  CHECK(parse_size("1048576") == 1048576);
  CHECK(parse_size("16MiB") == 16LL << 20);
  CHECK(parse_size("2GiB") == 2LL << 30);
  CHECK(parse_size("500MB") == 500'000'000);
  CHECK(parse_size("1.5 GiB") == 3LL << 29);
  for (const char* text : {"", "GiB", "-1", "2XB", "99999999999TiB"}) {
    INFO(text);
    CHECK_FALSE(parse_size(text));
  }
}

TEST_CASE("addresses to listen on are read in every usual form") {
  CHECK(parse_listen_address("127.0.0.1:7177") == ListenAddress{"127.0.0.1", 7177});
  CHECK(parse_listen_address("[::1]:80") == ListenAddress{"::1", 80});
  CHECK(parse_listen_address(":8080") == ListenAddress{"127.0.0.1", 8080});
  CHECK(parse_listen_address("8080") == ListenAddress{"127.0.0.1", 8080});
  CHECK(parse_listen_address("localhost:0") == ListenAddress{"localhost", 0});
  for (const char* text : {"", "::1:80", "127.0.0.1:99999", "host:", "host:http", "a b:80", "-1"}) {
    INFO(text);
    CHECK_FALSE(parse_listen_address(text));
  }
}

TEST_CASE("an address knows whether it is reachable from elsewhere, and prints what it reads") {
  CHECK(ListenAddress{"127.0.0.2", 1}.is_loopback());
  CHECK(ListenAddress{"::1", 1}.is_loopback());
  CHECK(ListenAddress{"localhost", 1}.is_loopback());
  CHECK_FALSE(ListenAddress{"0.0.0.0", 1}.is_loopback());
  CHECK_FALSE(ListenAddress{"::", 1}.is_loopback());
  CHECK(ListenAddress{"::1", 80}.text() == "[::1]:80");
  CHECK(ListenAddress{"10.0.0.1", 80}.text() == "10.0.0.1:80");
}

TEST_CASE("lists lose blanks and empty items") {
  CHECK(parse_list(" a, b ,,c ") == std::vector<std::string>{"a", "b", "c"});
  CHECK(parse_list("").empty());
}
