#include "server/query/time_zone.hpp"

#include <catch2/catch_test_macros.hpp>

namespace countertop::query {
namespace {

constexpr std::int64_t kHour = 3'600'000;

TimeZone zone(std::string_view name) {
  const auto found = TimeZone::find(name);
  if (!found && found.error().code == ErrorCode::unavailable) SKIP("no time zone database here");
  REQUIRE(found.has_value());
  return *found;
}

std::int64_t utc(int year, unsigned month, unsigned day, unsigned hour = 0, unsigned minute = 0) {
  return *TimeZone::utc().to_unix_ms({year, month, day, hour, minute, 0, 0});
}

TEST_CASE("UTC works without a database", "[time]") {
  CHECK(TimeZone::find("UTC")->is_utc());
  CHECK(TimeZone::utc().name() == "UTC");
  CHECK(utc(1970, 1, 1) == 0);
  CHECK(utc(2026, 11, 30, 12) == 1'796'040'000'000);
  CHECK(TimeZone::utc().to_local(1'796'040'000'123) == LocalTime{2026, 11, 30, 12, 0, 0, 123});
  CHECK(format_rfc3339(1'796'040'000'000, TimeZone::utc()) == "2026-11-30T12:00:00Z");
  CHECK(format_rfc3339(-1, TimeZone::utc()) == "1969-12-31T23:59:59.999Z");
}

TEST_CASE("Unknown zones are refused with near names", "[time]") {
  zone("Europe/Berlin");
  const auto wrong = TimeZone::find("Europe/Berln");
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().message.find("'Europe/Berlin'") != std::string::npos);
  CHECK(TimeZone::find("berlin").error().message.find("'Europe/Berlin'") != std::string::npos);
  for (const std::string_view bad : {"", "../../etc/passwd", "/etc/passwd", "Europe", "Europe/", "\n"}) {
    INFO(bad);
    CHECK_FALSE(TimeZone::find(bad).has_value());
  }
  CHECK_FALSE(TimeZone::find(std::string(100'000, 'x')).has_value());
}

TEST_CASE("Both hours of 02:30 carry their offset [T-T01]", "[time][T-T01]") {
  const TimeZone berlin = zone("Europe/Berlin");
  const std::int64_t summer = utc(2026, 10, 25, 0, 30);
  CHECK(format_rfc3339(summer, berlin) == "2026-10-25T02:30:00+02:00");
  CHECK(format_rfc3339(summer + kHour, berlin) == "2026-10-25T02:30:00+01:00");
  CHECK(berlin.to_unix_ms({2026, 10, 25, 2, 30, 0, 0}) == summer);  // the first of the two
  CHECK(berlin.offset_s(summer) == 7200);
}

TEST_CASE("A skipped local time is refused and explained [T-T01]", "[time][T-T01]") {
  const TimeZone berlin = zone("Europe/Berlin");
  const auto skipped = berlin.to_unix_ms({2026, 3, 29, 2, 30, 0, 0});
  REQUIRE_FALSE(skipped.has_value());
  CHECK(skipped.error().code == ErrorCode::invalid_argument);
  CHECK(skipped.error().message ==
        "this local time does not exist in Europe/Berlin: the clocks were put forward at "
        "2026-03-29T01:59:59+01:00 to "
        "2026-03-29T03:00:00+02:00");
  CHECK(berlin.to_unix_ms({2026, 3, 29, 3, 0, 0, 0}) == utc(2026, 3, 29, 1));
}

TEST_CASE("Offsets of half and quarter hours are right [T-T01]", "[time][T-T01]") {
  CHECK(format_rfc3339(utc(2026, 1, 1), zone("Asia/Kathmandu")) == "2026-01-01T05:45:00+05:45");
  CHECK(format_rfc3339(utc(2026, 1, 1), zone("Australia/Lord_Howe")) == "2026-01-01T11:00:00+11:00");
  CHECK(format_rfc3339(utc(2026, 7, 1), zone("Australia/Lord_Howe")) == "2026-07-01T10:30:00+10:30");
  CHECK(format_rfc3339(utc(2026, 7, 1), zone("America/New_York")) == "2026-06-30T20:00:00-04:00");
  CHECK(format_rfc3339(utc(2026, 7, 1), zone("Africa/Casablanca")) == "2026-07-01T01:00:00+01:00");
  // Before zones there were offsets with seconds, which RFC 3339 cannot write.
  CHECK(format_rfc3339(utc(1900, 6, 1), zone("Asia/Kathmandu")) == "1900-06-01T00:00:00Z");
}

std::vector<std::int64_t> hours_of_days(const TimeZone& in, std::int64_t from, std::int64_t to) {
  const auto starts = in.day_starts_ms(from, to, 1);
  std::vector<std::int64_t> half_hours;
  for (std::size_t i = 1; i < starts.size(); ++i)
    half_hours.push_back((starts[i] - starts[i - 1]) / (kHour / 2));
  return half_hours;
}

TEST_CASE("Days around a clock change have 23, 25, 23.5 and 24.5 hours [T-T03]", "[time][T-T03]") {
  const TimeZone berlin = zone("Europe/Berlin");
  CHECK(hours_of_days(berlin, utc(2026, 3, 28, 12), utc(2026, 3, 30, 12)) ==
        std::vector<std::int64_t>{48, 46, 48});
  CHECK(hours_of_days(berlin, utc(2026, 10, 24, 12), utc(2026, 10, 26, 12)) ==
        std::vector<std::int64_t>{48, 50, 48});
  const TimeZone york = zone("America/New_York");
  CHECK(hours_of_days(york, utc(2026, 3, 8, 12), utc(2026, 3, 8, 13)) == std::vector<std::int64_t>{46});
  CHECK(hours_of_days(york, utc(2026, 11, 1, 12), utc(2026, 11, 1, 13)) == std::vector<std::int64_t>{50});
  const TimeZone howe = zone("Australia/Lord_Howe");
  CHECK(hours_of_days(howe, utc(2026, 10, 3, 20), utc(2026, 10, 3, 21)) == std::vector<std::int64_t>{47});
  CHECK(hours_of_days(howe, utc(2026, 4, 4, 20), utc(2026, 4, 4, 21)) == std::vector<std::int64_t>{49});
  const TimeZone kathmandu = zone("Asia/Kathmandu");
  CHECK(kathmandu.day_starts_ms(utc(2026, 5, 1, 12), utc(2026, 5, 1, 13), 1) ==
        std::vector<std::int64_t>{utc(2026, 4, 30, 18, 15), utc(2026, 5, 1, 18, 15)});
}

TEST_CASE("A day whose midnight is skipped starts when the clocks have moved [T-T03]", "[time][T-T03]") {
  const TimeZone beirut = zone("Asia/Beirut");
  CHECK(beirut.day_start_ms(2024, 3, 31) == utc(2024, 3, 30, 22));
  CHECK(format_rfc3339(*beirut.day_start_ms(2024, 3, 31), beirut) == "2024-03-31T01:00:00+03:00");
  // Samoa had no 30 December 2011.
  const auto starts = zone("Pacific/Apia").day_starts_ms(utc(2011, 12, 29, 12), utc(2012, 1, 1), 1);
  REQUIRE(starts.size() >= 3);
  for (std::size_t i = 1; i < starts.size(); ++i) CHECK(starts[i] - starts[i - 1] == 24 * kHour);
}

TEST_CASE("Groups of days are aligned, weeks to Monday", "[time]") {
  const TimeZone plain = TimeZone::utc();
  CHECK(plain.day_starts_ms(utc(2026, 12, 1), utc(2026, 12, 2), 7) ==
        std::vector<std::int64_t>{utc(2026, 11, 30), utc(2026, 12, 7)});
  CHECK(plain.day_starts_ms(utc(1969, 12, 31), utc(1970, 1, 2), 2) ==
        std::vector<std::int64_t>{utc(1969, 12, 30), utc(1970, 1, 1), utc(1970, 1, 3)});
  // A boundary at the very end opens no further bucket.
  CHECK(plain.day_starts_ms(utc(2026, 12, 1), utc(2026, 12, 2), 1).size() == 2);
}

TEST_CASE("Dates and times of day that do not exist are refused", "[time]") {
  CHECK_FALSE(TimeZone::utc().day_start_ms(2026, 2, 29).has_value());
  CHECK(TimeZone::utc().day_start_ms(2028, 2, 29).has_value());
  CHECK_FALSE(TimeZone::utc().to_unix_ms({2026, 1, 1, 24, 0, 0, 0}).has_value());
  CHECK_FALSE(TimeZone::utc().to_unix_ms({1899, 1, 1, 0, 0, 0, 0}).has_value());
}

}  // namespace
}  // namespace countertop::query
