#include "server/query/time_range.hpp"

#include <catch2/catch_test_macros.hpp>

namespace countertop::query {
namespace {

constexpr std::int64_t kNow = 1'796'040'000'500;  // 2026-11-30T12:00:00.5Z

std::int64_t time_of(std::string_view text, const TimeZone* zone = nullptr) {
  INFO(text);
  const auto time = parse_time(text, "from", kNow, zone);
  REQUIRE(time.has_value());
  return *time;
}

std::string error_of(std::string_view text, const TimeZone* zone = nullptr) {
  INFO(text);
  const auto time = parse_time(text, "from", kNow, zone);
  REQUIRE_FALSE(time.has_value());
  CHECK(time.error().code == ErrorCode::invalid_argument);
  CHECK_FALSE(time.error().fix.empty());
  return time.error().message;
}

TEST_CASE("Times relative to now", "[time]") {
  CHECK(time_of("now") == kNow);
  CHECK(time_of("-10m") == kNow - 600'000);
  CHECK(time_of("-600") == kNow - 600'000);
  CHECK(time_of("-0.5") == kNow - 500);
  CHECK(time_of("-1h30m") == kNow - 5'400'000);
  CHECK(time_of("-1.5h") == kNow - 5'400'000);
  CHECK(time_of("now-1h") == kNow - 3'600'000);
  CHECK(time_of("now+5m") == kNow + 300'000);
  CHECK(time_of("now 5m") == kNow + 300'000);  // a "+" that a URL turned into a space
  CHECK(time_of("-2d") == kNow - 172'800'000);
  CHECK(time_of("-1w") == kNow - 604'800'000);
  CHECK(time_of("-250ms") == kNow - 250);
}

TEST_CASE("Unix seconds and milliseconds are told apart at 1e11", "[time]") {
  CHECK(time_of("0") == 0);
  CHECK(time_of("1764500000") == 1'764'500'000'000);
  CHECK(time_of("1764500000.25") == 1'764'500'000'250);
  CHECK(time_of("1764500000250") == 1'764'500'000'250);
  CHECK(time_of("99999999999") == 99'999'999'999'000);
  CHECK(time_of("100000000000") == 100'000'000'000);
}

TEST_CASE("RFC 3339 with every offset form", "[time]") {
  CHECK(time_of("2026-11-30T12:00:00Z") == kNow - 500);
  CHECK(time_of("2026-11-30t12:00:00.5z") == kNow);
  CHECK(time_of("2026-11-30 13:00:00+01:00") == kNow - 500);
  CHECK(time_of("2026-11-30T13:00:00 01:00") == kNow - 500);  // an unescaped "+" in a URL
  CHECK(time_of("2026-11-30T08:30-03:30") == kNow - 500);
  CHECK(time_of("2026-11-30T17:45:00+0545") == kNow - 500);
  CHECK(time_of("2026-11-30T12:00:00.123456789Z") == kNow - 500 + 123);
}

TEST_CASE("Dates and local times follow tz", "[time]") {
  const auto berlin = TimeZone::find("Europe/Berlin");
  if (!berlin) SKIP("no time zone database here");
  CHECK(time_of("2026-11-01") == time_of("2026-11-01T00:00:00Z"));
  CHECK(time_of("2026-11-01", &*berlin) == time_of("2026-10-31T23:00:00Z"));
  CHECK(time_of("2026-11-01T08:00", &*berlin) == time_of("2026-11-01T07:00:00Z"));
  CHECK(time_of("2026-10-25T02:30:00", &*berlin) == time_of("2026-10-25T00:30:00Z"));
  CHECK(error_of("2026-11-01T08:00").find("is a local time, but the request has no tz") != std::string::npos);
  CHECK(error_of("2026-03-29T02:30:00", &*berlin).find("does not exist in Europe/Berlin") !=
        std::string::npos);
  CHECK(time_of("2026-03-29T02:30:00Z", &*berlin) > 0);  // with an offset it is no local time
}

TEST_CASE("Everything else is refused, naming the parameter and the forms", "[time]") {
  for (const std::string_view bad : {"",
                                     "-",
                                     "--5",
                                     "yesterday",
                                     "now-",
                                     "now*2",
                                     "-5x",
                                     "-5m3",
                                     "1e5",
                                     "0x10",
                                     "nan",
                                     "inf",
                                     "12:30",
                                     " now",
                                     "2026-13-01",
                                     "2026-02-30",
                                     "2026-1-1",
                                     "2026-11-30T",
                                     "2026-11-30T25:00:00Z",
                                     "2026-11-30T12:00:60Z",
                                     "2026-11-30T12:00:00+25:00",
                                     "2026-11-30T12:00:00X",
                                     "2026-11-30T12:00:00.Z",
                                     "1899-01-01",
                                     "99999999999999999",
                                     "-99999999999999999999d",
                                     "-9000y",
                                     "-300000d"}) {
    CHECK(error_of(bad).starts_with("from: '"));
  }
  CHECK(error_of(std::string(100'000, '1')).size() < 200);
}

TEST_CASE("Steps are lengths, whole days calendar days", "[time]") {
  CHECK(parse_step("10s", "step") == Step{10'000, 0});
  CHECK(parse_step("60", "step") == Step{60'000, 0});
  CHECK(parse_step("0.5", "step") == Step{500, 0});
  CHECK(parse_step("1d", "step") == Step{86'400'000, 1});
  CHECK(parse_step("1w", "step") == Step{604'800'000, 7});
  CHECK(parse_step("24h", "step") == Step{86'400'000, 1});
  CHECK(parse_step("36h", "step") == Step{129'600'000, 0});
  for (const std::string_view bad : {"", "0", "0s", "-1s", "s", "1", "20000d"}) {
    if (bad == "1") continue;
    INFO(bad);
    const auto step = parse_step(bad, "step");
    REQUIRE_FALSE(step.has_value());
    CHECK(step.error().message.starts_with("step: '"));
  }
}

TEST_CASE("Durations are printed in the unit that divides them", "[time]") {
  CHECK(format_duration(10'000) == "10s");
  CHECK(format_duration(300'000) == "5m");
  CHECK(format_duration(7'200'000) == "2h");
  CHECK(format_duration(86'400'000) == "1d");
  CHECK(format_duration(1'500) == "1500ms");
  CHECK(format_duration(90'000) == "90s");
  CHECK(format_duration(0) == "0ms");
}

TEST_CASE("Ranges default to the last hour and must not be empty", "[time]") {
  CHECK(parse_range(std::nullopt, std::nullopt, kNow, nullptr) == TimeRange{kNow - 3'600'000, kNow});
  CHECK(parse_range("-2h", "-1h", kNow, nullptr) == TimeRange{kNow - 7'200'000, kNow - 3'600'000});
  const auto swapped = parse_range("now", "-1h", kNow, nullptr);
  REQUIRE_FALSE(swapped.has_value());
  CHECK(swapped.error().message.find("does not lie before to") != std::string::npos);
  CHECK_FALSE(parse_range("now", "now", kNow, nullptr).has_value());
  CHECK(parse_range("x", std::nullopt, kNow, nullptr).error().message.starts_with("from:"));
  CHECK(parse_range(std::nullopt, "x", kNow, nullptr).error().message.starts_with("to:"));
}

}  // namespace
}  // namespace countertop::query
