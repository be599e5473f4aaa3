#include "collectors/core/counter_type.hpp"

#include <algorithm>
#include <array>

namespace countertop {
namespace {

using enum Formula;
using enum TimeSource;

constexpr std::string_view kRate = "(N1 - N0) / ((T1 - T0) / frequency)";
constexpr std::string_view kTimer = "100 * (N1 - N0) / (T1 - T0)";
constexpr std::string_view kTimerInverse = "100 * (1 - (N1 - N0) / (T1 - T0))";
constexpr std::string_view kMulti = "100 * (N1 - N0) / (T1 - T0) / B1";
constexpr std::string_view kMultiInverse = "100 * (B1 - (N1 - N0) / (T1 - T0))";
constexpr std::string_view kQueue = "(N1 - N0) / (T1 - T0)";
constexpr std::string_view kValue = "N1";
constexpr std::string_view kDifference = "N1 - N0";
constexpr std::string_view kShareOfDelta = "100 * (N1 - N0) / (B1 - B0)";
constexpr std::string_view kShare = "100 * N1 / B1";

constexpr auto kTypes = [] {
  using T = CounterType;
  std::array table{
      // type, name, formula, clock, inverse, has_base, is_base, text
      CounterTypeDescription{T::counter, "PERF_COUNTER_COUNTER", rate, performance, false, false, false,
                             kRate},
      CounterTypeDescription{T::bulk_count, "PERF_COUNTER_BULK_COUNT", rate, performance, false, false, false,
                             kRate},
      CounterTypeDescription{T::sample_counter, "PERF_SAMPLE_COUNTER", rate, performance, false, false, false,
                             kRate},
      CounterTypeDescription{T::timer, "PERF_COUNTER_TIMER", percent_of_time, performance, false, false,
                             false, kTimer},
      CounterTypeDescription{T::timer_inverse, "PERF_COUNTER_TIMER_INV", percent_of_time, performance, true,
                             false, false, kTimerInverse},
      CounterTypeDescription{T::timer_100ns, "PERF_100NSEC_TIMER", percent_of_time, hundred_ns, false, false,
                             false, kTimer},
      CounterTypeDescription{T::timer_100ns_inverse, "PERF_100NSEC_TIMER_INV", percent_of_time, hundred_ns,
                             true, false, false, kTimerInverse},
      CounterTypeDescription{T::object_timer, "PERF_OBJ_TIME_TIMER", percent_of_time, object, false, false,
                             false, kTimer},
      CounterTypeDescription{T::multi_timer, "PERF_COUNTER_MULTI_TIMER", multi_percent, performance, false,
                             true, false, kMulti},
      CounterTypeDescription{T::multi_timer_inverse, "PERF_COUNTER_MULTI_TIMER_INV", multi_percent,
                             performance, true, true, false, kMultiInverse},
      CounterTypeDescription{T::multi_timer_100ns, "PERF_100NSEC_MULTI_TIMER", multi_percent, hundred_ns,
                             false, true, false, kMulti},
      CounterTypeDescription{T::multi_timer_100ns_inverse, "PERF_100NSEC_MULTI_TIMER_INV", multi_percent,
                             hundred_ns, true, true, false, kMultiInverse},
      CounterTypeDescription{T::multi_base, "PERF_COUNTER_MULTI_BASE", none, performance, false, false, true,
                             ""},
      CounterTypeDescription{T::queue_length, "PERF_COUNTER_QUEUELEN_TYPE", per_time, performance, false,
                             false, false, kQueue},
      CounterTypeDescription{T::large_queue_length, "PERF_COUNTER_LARGE_QUEUELEN_TYPE", per_time, performance,
                             false, false, false, kQueue},
      CounterTypeDescription{T::queue_length_100ns, "PERF_COUNTER_100NS_QUEUELEN_TYPE", per_time, hundred_ns,
                             false, false, false, kQueue},
      CounterTypeDescription{T::queue_length_object_time, "PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE", per_time,
                             object, false, false, false, kQueue},
      CounterTypeDescription{T::raw_count, "PERF_COUNTER_RAWCOUNT", value, performance, false, false, false,
                             kValue},
      CounterTypeDescription{T::large_raw_count, "PERF_COUNTER_LARGE_RAWCOUNT", value, performance, false,
                             false, false, kValue},
      CounterTypeDescription{T::raw_count_hex, "PERF_COUNTER_RAWCOUNT_HEX", value, performance, false, false,
                             false, kValue},
      CounterTypeDescription{T::large_raw_count_hex, "PERF_COUNTER_LARGE_RAWCOUNT_HEX", value, performance,
                             false, false, false, kValue},
      CounterTypeDescription{T::delta, "PERF_COUNTER_DELTA", difference, performance, false, false, false,
                             kDifference},
      CounterTypeDescription{T::large_delta, "PERF_COUNTER_LARGE_DELTA", difference, performance, false,
                             false, false, kDifference},
      CounterTypeDescription{T::sample_fraction, "PERF_SAMPLE_FRACTION", percent_of_delta, performance, false,
                             true, false, kShareOfDelta},
      CounterTypeDescription{T::sample_base, "PERF_SAMPLE_BASE", none, performance, false, false, true, ""},
      CounterTypeDescription{T::raw_fraction, "PERF_RAW_FRACTION", percent_of_base, performance, false, true,
                             false, kShare},
      CounterTypeDescription{T::raw_base, "PERF_RAW_BASE", none, performance, false, false, true, ""},
      CounterTypeDescription{T::large_raw_fraction, "PERF_LARGE_RAW_FRACTION", percent_of_base, performance,
                             false, true, false, kShare},
      CounterTypeDescription{T::large_raw_base, "PERF_LARGE_RAW_BASE", none, performance, false, false, true,
                             ""},
      CounterTypeDescription{T::average_timer, "PERF_AVERAGE_TIMER", average_seconds, performance, false,
                             true, false, "((N1 - N0) / frequency) / (B1 - B0)"},
      CounterTypeDescription{T::average_bulk, "PERF_AVERAGE_BULK", average, performance, false, true, false,
                             "(N1 - N0) / (B1 - B0)"},
      CounterTypeDescription{T::average_base, "PERF_AVERAGE_BASE", none, performance, false, false, true, ""},
      CounterTypeDescription{T::elapsed_time, "PERF_ELAPSED_TIME", elapsed, object, false, false, false,
                             "(T1 - N1) / frequency"},
      CounterTypeDescription{T::precision_system_timer, "PERF_PRECISION_SYSTEM_TIMER", percent_of_delta,
                             performance, false, true, false, kShareOfDelta},
      CounterTypeDescription{T::precision_100ns_timer, "PERF_PRECISION_100NS_TIMER", percent_of_delta,
                             hundred_ns, false, true, false, kShareOfDelta},
      CounterTypeDescription{T::precision_object_timer, "PERF_PRECISION_OBJECT_TIMER", percent_of_delta,
                             object, false, true, false, kShareOfDelta},
      CounterTypeDescription{T::text, "PERF_COUNTER_TEXT", none, performance, false, false, false, ""},
      CounterTypeDescription{T::no_data, "PERF_COUNTER_NODATA", none, performance, false, false, false, ""},
      CounterTypeDescription{T::histogram, "PERF_COUNTER_HISTOGRAM_TYPE", none, performance, false, false,
                             false, ""},
  };
  std::ranges::sort(table, {}, &CounterTypeDescription::type);
  return table;
}();

}  // namespace

const CounterTypeDescription* find_description(CounterType type) {
  const auto* const found = std::ranges::lower_bound(kTypes, type, {}, &CounterTypeDescription::type);
  return found != kTypes.end() && found->type == type ? found : nullptr;
}

std::optional<CounterTypeDescription> describe(CounterType type) {
  const CounterTypeDescription* const found = find_description(type);
  if (found == nullptr) return std::nullopt;
  return *found;
}

bool needs_two_samples(Formula formula) {
  return formula != value && formula != percent_of_base && formula != elapsed && formula != none;
}

}  // namespace countertop
