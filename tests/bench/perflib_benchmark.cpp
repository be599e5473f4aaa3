// Throughput of the parser and of the way to snapshots, on a block like a busy server's: 300 processes with
// 28 counters each and 4,000 threads with 12.
#include <benchmark/benchmark.h>

#include "collectors/perflib/data_block.hpp"
#include "collectors/perflib/snapshot_reader.hpp"
#include "tests/support/perflib_encoder.hpp"

namespace {

using namespace countertop;

test::EncodedObject object_of(std::uint32_t index, std::uint32_t counters, std::size_t instances) {
  test::EncodedObject object{index, {}, {}};
  for (std::uint32_t counter = 0; counter < counters; ++counter) {
    const bool is_rate = counter % 2 == 0;
    object.counters.push_back(
        {9000 + 2 * counter,
         static_cast<std::uint32_t>(is_rate ? CounterType::bulk_count : CounterType::raw_count),
         is_rate ? 8U : 4U});
  }
  if (index == 230) object.counters[3].name_index = 784;
  for (std::size_t row = 0; row < instances; ++row) {
    test::EncodedInstance instance{u"svchost"};
    instance.values.assign(counters, static_cast<std::int64_t>(row + 1));
    object.instances.push_back(std::move(instance));
  }
  return object;
}

std::vector<std::byte> busy_server() {
  test::EncodedBlock block;
  block.objects = {object_of(230, 28, 300), object_of(9998, 12, 4000)};
  return test::encode_block(block);
}

void parse_block(benchmark::State& state) {
  const auto bytes = busy_server();
  perflib::DataBlock block;
  for (auto _ : state) {
    static_cast<void>(perflib::parse_data_block(bytes, block));
    benchmark::DoNotOptimize(block.instances.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes.size()));
}

void parse_and_read_every_value(benchmark::State& state) {
  const auto bytes = busy_server();
  perflib::DataBlock block;
  for (auto _ : state) {
    static_cast<void>(perflib::parse_data_block(bytes, block));
    std::int64_t sum = 0;
    for (const auto& object : block.objects) {
      for (const auto& instance : block.instances_of(object)) {
        for (const auto& counter : block.counters_of(object))
          sum += perflib::read_value(counter, instance).value_or(0);
      }
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes.size()));
}

void parse_to_snapshots(benchmark::State& state) {
  const auto bytes = busy_server();
  perflib::DataBlock block;
  perflib::SnapshotReader reader;
  const perflib::Names names;
  for (auto _ : state) {
    static_cast<void>(perflib::parse_data_block(bytes, block));
    auto reading = reader.read(block, names);
    benchmark::DoNotOptimize(reading.snapshots.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes.size()));
}

BENCHMARK(parse_block);
BENCHMARK(parse_and_read_every_value);
BENCHMARK(parse_to_snapshots);

}  // namespace
