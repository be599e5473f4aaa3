#include "server/app/self_collector.hpp"

#include <catch_amalgamated.hpp>

#include "collectors/core/cook.hpp"

using namespace countertop;
using namespace countertop::app;

namespace {

double cooked(const Snapshot& snapshot, std::size_t instance, std::string_view counter) {
  const CounterDefinition* definition = snapshot.object->find_counter(counter);
  REQUIRE(definition != nullptr);
  const auto value = cook(*snapshot.object, *definition, nullptr, {snapshot.row(instance), snapshot.time});
  REQUIRE(value.has_value());
  return value.value;
}

}  // namespace

TEST_CASE("every counter of the program's own says where it comes from") {
  const SelfCollector collector([] { return SelfReadings{}; });
  for (const auto& object : collector.objects())
    for (const CounterDefinition& counter : object->counters) {
      CAPTURE(object->name, counter.name);
      CHECK(counter.help.find("Source: ") != std::string::npos);
    }
}

TEST_CASE("the program reports itself and each of its collectors") {
  SelfReadings readings;
  readings.queue_length = 3;
  readings.store_bytes = 4096;
  readings.streams = 2;
  CollectorStatus status;
  status.name = "process";
  status.last_duration_us = 2500;
  status.failures = 7;
  status.last_lateness_us = 1500;
  readings.collectors.push_back(status);
  status.name = "machine";
  status.last_lateness_us = 4000;
  readings.collectors.push_back(status);

  SelfCollector collector([&] { return readings; });
  for (const auto& object : collector.objects()) CHECK(why_invalid(*object).empty());
  const auto collected = collector.collect(system_clock());
  REQUIRE(collected);
  REQUIRE(collected->snapshots.size() == 2);

  const Snapshot& program = collected->snapshots[0];
  CHECK(cooked(program, 0, "queue length") == 3);
  CHECK(cooked(program, 0, "store bytes") == 4096);
  CHECK(cooked(program, 0, "streams") == 2);
  CHECK(cooked(program, 0, "lateness") == Catch::Approx(0.004));
  CHECK(cooked(program, 0, "resident bytes") > 100'000);
  CHECK(cooked(program, 0, "threads") >= 1);

  const Snapshot& collectors = collected->snapshots[1];
  REQUIRE(collectors.instances.size() == 2);
  CHECK(collectors.instances[0].name == "process");
  CHECK(cooked(collectors, 0, "duration") == Catch::Approx(0.0025));
  CHECK(cooked(collectors, 0, "failures") == 7);
}
