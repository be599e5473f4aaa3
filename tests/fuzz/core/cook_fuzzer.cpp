// Cooks whatever two rows of whatever counter: a present value is never NaN, and shares of inverse timers
// stay in bounds.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "collectors/core/byte_reader.hpp"
#include "collectors/core/cook.hpp"

namespace {

using namespace countertop;

constexpr std::array kTypes{
    CounterType::counter,
    CounterType::timer,
    CounterType::timer_inverse,
    CounterType::timer_100ns_inverse,
    CounterType::object_timer,
    CounterType::multi_timer,
    CounterType::large_queue_length,
    CounterType::multi_timer_inverse,
    CounterType::large_raw_count,
    CounterType::large_delta,
    CounterType::sample_fraction,
    CounterType::raw_fraction,
    CounterType::average_timer,
    CounterType::average_bulk,
    CounterType::elapsed_time,
    CounterType::precision_100ns_timer,
    CounterType::text,
};

TimeBase read_time(ByteReader& reader) {
  return {reader.i64(), reader.i64(), reader.i64(), reader.i64(), reader.i64(), reader.i64()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader reader(std::as_bytes(std::span(data, size)));
  ObjectDefinition object;
  object.name = "x";
  CounterDefinition counter;
  counter.name = "y";
  counter.type = kTypes[reader.u8() % kTypes.size()];
  counter.value = {{0, 1}, {1, static_cast<std::int8_t>(reader.u8() % 2 == 0 ? 1 : -1)}};
  if (find_description(counter.type)->has_base) counter.base = {{2, 1}};
  for (const char* name : {"a", "b", "c"}) {
    object.fields.push_back(
        {name, static_cast<Backward>(reader.u8() % 5), reader.u16(), static_cast<double>(reader.u16())});
  }
  object.counters = {counter};
  if (!why_invalid(object).empty()) std::abort();
  const std::array<std::int64_t, 3> older_row{reader.i64(), reader.i64(), reader.i64()};
  const std::array<std::int64_t, 3> newer_row{reader.i64(), reader.i64(), reader.i64()};
  const RawSample older{older_row, read_time(reader)};
  const RawSample newer{newer_row, read_time(reader)};
  for (const Cooked& cooked : {cook(object, counter, &older, newer), cook(object, counter, nullptr, newer),
                               cook_from_zero(object, counter, older.time, newer)}) {
    if (cooked.has_value() == std::isnan(cooked.value)) std::abort();
    const bool is_share =
        counter.type == CounterType::timer_inverse || counter.type == CounterType::timer_100ns_inverse;
    if (cooked.has_value() && is_share && (cooked.value < 0 || cooked.value > 100)) std::abort();
  }
  static_cast<void>(cook_parts(object, counter, older, newer));
  return 0;
}
