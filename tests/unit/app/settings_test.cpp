#include "server/app/settings.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <filesystem>
#include <fstream>

using namespace countertop;
using namespace countertop::app;

namespace {

/// A settings file that is gone at the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("countertop-settings-" + std::to_string(++count_) + ".toml")) {
    std::ofstream(path_) << text;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  static inline int count_ = 0;
  std::filesystem::path path_;
};

const EffectiveSetting& setting_named(const Settings& settings, const std::string& name) {
  return *std::ranges::find_if(settings.effective,
                               [&](const auto& row) { return dotted_name(*row.definition) == name; });
}

Result<Settings> resolve_flag(const std::string& name, const std::string& value) {
  SettingSources sources;
  sources.flags[name] = {value, "flag"};
  return resolve_settings(sources, "/state");
}

}  // namespace

TEST_CASE("without any source every setting has its default") {
  const auto settings = resolve_settings({}, "/home/x/.local/state/countertop");
  REQUIRE(settings);
  CHECK(settings->listen == ListenAddress{"127.0.0.1", 7177});
  CHECK(settings->retention.max_bytes == 2LL << 30);
  CHECK(settings->retention.raw_days == 30);
  CHECK(settings->retention.minute_days == 365);
  CHECK(settings->retention.hour_days == 3650);
  CHECK(settings->interval == std::chrono::seconds(1));
  CHECK(settings->data_directory == "/home/x/.local/state/countertop");
  CHECK(settings->effective.size() == setting_table().size());
  CHECK(std::ranges::all_of(settings->effective, [](const auto& row) { return row.origin == "default"; }));
}

TEST_CASE("a flag beats the environment, which beats the file") {
  SettingSources sources;
  sources.flags["collect.interval"] = {"2s", "flag --collect-interval"};
  sources.environment["collect.interval"] = {"3s", "environment COUNTERTOP_COLLECT_INTERVAL"};
  sources.environment["store.max_size"] = {"20MiB", "environment COUNTERTOP_STORE_MAX_SIZE"};
  sources.file["store.max_size"] = {"30MiB", "x.toml line 2"};
  sources.file["store.raw"] = {"7d", "x.toml line 3"};
  const auto settings = resolve_settings(sources, "/state");
  REQUIRE(settings);
  CHECK(settings->interval == std::chrono::seconds(2));
  CHECK(settings->retention.max_bytes == 20LL << 20);
  CHECK(settings->retention.raw_days == 7);
  CHECK(setting_named(*settings, "collect.interval").origin == "flag --collect-interval");
  CHECK(setting_named(*settings, "store.max_size").origin == "environment COUNTERTOP_STORE_MAX_SIZE");
  CHECK(setting_named(*settings, "store.raw").origin == "x.toml line 3");
}

TEST_CASE("a value outside its limits names setting, value, origin and limit") {
  const auto [name, value, expected] = GENERATE(table<std::string, std::string, std::string>({
      {"store.max_size", "15MiB", "16MiB"},
      {"store.max_size", "much", "a size such as"},
      {"collect.interval", "99ms", "100ms to 60s"},
      {"collect.interval", "61s", "100ms to 60s"},
      {"collect.interval", "fast", "a duration such as"},
      {"server.listen", "nowhere", "an address such as"},
      {"server.query_timeout", "1ms", "at least 100ms"},
      {"store.raw", "0d", "at least 1d"},
      {"log.level", "loud", "debug, info, warning, error"},
  }));
  const auto settings = resolve_flag(name, value);
  REQUIRE_FALSE(settings);
  CHECK(settings.error().code == ErrorCode::invalid_argument);
  CHECK_THAT(settings.error().message, Catch::Matchers::ContainsSubstring(name));
  CHECK_THAT(settings.error().message, Catch::Matchers::ContainsSubstring("'" + value + "' (flag)"));
  CHECK_THAT(settings.error().message, Catch::Matchers::ContainsSubstring(expected));
}

TEST_CASE("without a home the data directory must be named") {
  const auto settings = resolve_settings({}, "");
  REQUIRE_FALSE(settings);
  CHECK_THAT(settings.error().message, Catch::Matchers::ContainsSubstring("store.directory"));
}

TEST_CASE("a file gives texts, numbers and lists, with their lines") {
  const TemporaryFile file(
      "[store]\nmax_size = \"64MiB\"\n\n[server]\nallowed_hosts = [\"a.example\", \"b.example\"]\n");
  const auto given = read_settings_file(file.path());
  REQUIRE(given);
  CHECK(given->at("store.max_size").value == "64MiB");
  CHECK_THAT(given->at("store.max_size").origin, Catch::Matchers::EndsWith("line 2"));
  CHECK(given->at("server.allowed_hosts").value == "a.example,b.example");
}

TEST_CASE("an unknown key in the file names its line and the nearest known key") {
  const TemporaryFile file("[store]\nmax_sise = \"64MiB\"\n");
  const auto given = read_settings_file(file.path());
  REQUIRE_FALSE(given);
  CHECK_THAT(given.error().message, Catch::Matchers::ContainsSubstring("line 2"));
  CHECK_THAT(given.error().message, Catch::Matchers::ContainsSubstring("'store.max_size'"));
}

TEST_CASE("a file that is no TOML, or not there, is an error with its place") {
  const TemporaryFile file("[store]\nmax_size = \n");
  const auto broken = read_settings_file(file.path());
  REQUIRE_FALSE(broken);
  CHECK_THAT(broken.error().message, Catch::Matchers::ContainsSubstring("line 2"));
  const auto absent = read_settings_file("/nonexistent/countertop.toml");
  REQUIRE_FALSE(absent);
  CHECK_THAT(absent.error().message, Catch::Matchers::ContainsSubstring("/nonexistent/countertop.toml"));
}

TEST_CASE("a folder in place of the settings file is an error, not an empty file") {
  const auto folder = read_settings_file(std::filesystem::temp_directory_path());
  REQUIRE_FALSE(folder);
  CHECK(folder.error().code == ErrorCode::invalid_argument);
}

TEST_CASE("the environment is read by name, and a misspelt name is an error") {
  const std::vector<std::string> good{"HOME=/x", "COUNTERTOP_STORE_MAX_SIZE=1GiB",
                                      "COUNTERTOP_CONFIG=/etc/c.toml"};
  const auto given = read_environment(good);
  REQUIRE(given);
  CHECK(given->size() == 1);
  CHECK(given->at("store.max_size").value == "1GiB");

  const std::vector<std::string> bad{"COUNTERTOP_STORE_MAXSIZE=1GiB"};
  const auto refused = read_environment(bad);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Catch::Matchers::ContainsSubstring("COUNTERTOP_STORE_MAX_SIZE"));
}

TEST_CASE("settings are shown as columns and as JSON") {
  const auto settings = resolve_flag("store.directory", "/data \"x\"");
  REQUIRE(settings);
  CHECK_THAT(show_settings(*settings), Catch::Matchers::ContainsSubstring("store.directory"));
  CHECK_THAT(show_settings(*settings), Catch::Matchers::ContainsSubstring("/data \"x\""));
  CHECK_THAT(show_settings_json(*settings), Catch::Matchers::ContainsSubstring(R"("value": "/data \"x\"")"));
}
