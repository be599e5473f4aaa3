#include "server/app/command_line.hpp"

#include <catch_amalgamated.hpp>

using namespace countertop;
using namespace countertop::app;

TEST_CASE("no command means serve") {
  const auto line = parse_command_line({});
  REQUIRE(line);
  CHECK(line->command == Command::serve);
  CHECK(line->flags.empty());
}

TEST_CASE("settings may stand before and behind the command, under long and short names") {
  const auto line =
      parse_command_line({"--data", "/d", "serve", "--listen", "127.0.0.1:1", "--store-max-size=20MiB"});
  REQUIRE(line);
  CHECK(line->flags.at("store.directory").value == "/d");
  CHECK(line->flags.at("server.listen").value == "127.0.0.1:1");
  CHECK(line->flags.at("store.max_size").value == "20MiB");
  CHECK(line->flags.at("store.max_size").origin == "flag --store-max-size");
}

TEST_CASE("config show takes settings and --json") {
  const auto line = parse_command_line({"config", "show", "--json", "--data", "/d"});
  REQUIRE(line);
  CHECK(line->command == Command::show_settings);
  CHECK(line->as_json);
  CHECK(line->flags.at("store.directory").value == "/d");
}

TEST_CASE("sql takes a statement, a data directory and an output form") {
  const auto line = parse_command_line({"sql", "--data", "/d", "--output", "csv", "select 1"});
  REQUIRE(line);
  CHECK(line->command == Command::sql);
  CHECK(line->sql == "select 1");
  CHECK(line->output == "csv");
  CHECK_FALSE(parse_command_line({"sql"}));
  CHECK_FALSE(parse_command_line({"sql", "--output", "xml", "select 1"}));
}

TEST_CASE("help has examples and every setting; the version is one line") {
  const auto help = parse_command_line({"--help"});
  REQUIRE(help);
  CHECK(help->command == Command::help);
  CHECK_THAT(help->text, Catch::Matchers::ContainsSubstring("Examples:"));
  for (const auto& setting : setting_table()) {
    CHECK_THAT(help->text, Catch::Matchers::ContainsSubstring(flag_name(setting)));
  }
  const auto version = parse_command_line({"--version"});
  REQUIRE(version);
  CHECK_THAT(version->text, Catch::Matchers::StartsWith("countertop "));
}

TEST_CASE("an unknown word names the nearest known one") {
  const auto flag = parse_command_line({"serve", "--lissen", "127.0.0.1:1"});
  REQUIRE_FALSE(flag);
  CHECK(flag.error().code == ErrorCode::invalid_argument);
  CHECK_THAT(flag.error().message, Catch::Matchers::ContainsSubstring("--listen"));
  const auto command = parse_command_line({"serv"});
  REQUIRE_FALSE(command);
  CHECK_THAT(command.error().message, Catch::Matchers::ContainsSubstring("'serve'"));
}
