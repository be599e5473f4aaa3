#include <catch_amalgamated.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "server/api/metric_names.hpp"
#include "tests/support/api_world.hpp"

using namespace countertop;
using test::ApiWorld;

TEST_CASE("Names say the unit once, in words", "[metrics]") {
  CHECK(api::metric_name("cpu", "busy", "%") == "countertop_cpu_busy_percent");
  CHECK(api::metric_name("memory", "used", "bytes") == "countertop_memory_used_bytes");
  CHECK(api::metric_name("disk", "read bytes/s", "bytes/s") == "countertop_disk_read_bytes_per_second");
  CHECK(api::metric_name("system", "context switches/s", "1/s") ==
        "countertop_system_context_switches_per_second");
  CHECK(api::metric_name("process", "resident bytes", "bytes") == "countertop_process_resident_bytes");
  CHECK(api::metric_name("load", "1 min", "") == "countertop_load_1_min");
  CHECK(api::metric_name("Processor Information", "% Processor Utility", "%") ==
        "countertop_processor_information_processor_utility_percent");
}

TEST_CASE("Labels and help texts cannot break out", "[metrics]") {
  CHECK(api::escape_label("a\"b\\c\nd") == "a\\\"b\\\\c\\nd");
  CHECK(api::escape_help("a\"b\\c\nd") == "a\"b\\\\c\\nd");
}

TEST_CASE("Metrics carry help, type and newest values, without processes", "[metrics]") {
  ApiWorld world;
  world.tick();
  world.tick();
  const auto plain = world.get("/metrics");
  CHECK(plain.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8");
  CHECK(plain.body.find("# HELP countertop_cpu_busy_percent Not idle.") != std::string::npos);
  CHECK(plain.body.find("# TYPE countertop_cpu_busy_percent gauge\n") != std::string::npos);
  CHECK(plain.body.find("countertop_cpu_busy_percent{instance=\"1\"} 75\n") != std::string::npos);
  CHECK(plain.body.find("countertop_memory_used_bytes 600\n") != std::string::npos);
  INFO(plain.body);
  CHECK(plain.body.find("countertop_disk_read_bytes_per_second{instance=\"a\\\"b,c\"} 3072\n") !=
        std::string::npos);
  CHECK(plain.body.find("process") == std::string::npos);
  CHECK(plain.body.find("# EOF") == std::string::npos);
  const auto open = world.get("/metrics", {{"accept", "application/openmetrics-text;version=1.0.0"}});
  CHECK(open.header("Content-Type").starts_with("application/openmetrics-text"));
  CHECK(open.body.ends_with("# EOF\n"));
}

TEST_CASE("promtool finds nothing to complain about", "[metrics][linux]") {
  if (std::system("command -v promtool >/dev/null 2>&1") != 0) SKIP("promtool is not installed");
  ApiWorld world;
  world.tick();
  world.tick();
  const auto file = std::filesystem::temp_directory_path() / "countertop_metrics_test.txt";
  std::ofstream(file) << world.get("/metrics").body;
  CHECK(std::system(("promtool check metrics < '" + file.string() + "'").c_str()) == 0);
  std::filesystem::remove(file);
}
