// Counter types: how a raw value becomes the value people read. The numbers are those of winperf.h, so that a
// Windows counter keeps the type its provider declared; counters of /proc are described with the same types.
// Bit layout and formulas: Microsoft, "Performance counter types" and "Calculating counter values".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace countertop {

enum class CounterType : std::uint32_t {
  // rates per second of the performance clock
  counter = 0x10410400,         // PERF_COUNTER_COUNTER
  bulk_count = 0x10410500,      // PERF_COUNTER_BULK_COUNT
  sample_counter = 0x00410400,  // PERF_SAMPLE_COUNTER
  // share of elapsed time, percent
  timer = 0x20410500,                      // PERF_COUNTER_TIMER
  timer_inverse = 0x21410500,              // PERF_COUNTER_TIMER_INV
  timer_100ns = 0x20510500,                // PERF_100NSEC_TIMER
  timer_100ns_inverse = 0x21510500,        // PERF_100NSEC_TIMER_INV
  object_timer = 0x20610500,               // PERF_OBJ_TIME_TIMER
  multi_timer = 0x22410500,                // PERF_COUNTER_MULTI_TIMER
  multi_timer_inverse = 0x23410500,        // PERF_COUNTER_MULTI_TIMER_INV
  multi_timer_100ns = 0x22510500,          // PERF_100NSEC_MULTI_TIMER
  multi_timer_100ns_inverse = 0x23510500,  // PERF_100NSEC_MULTI_TIMER_INV
  multi_base = 0x42030500,                 // PERF_COUNTER_MULTI_BASE
  // average length of a queue
  queue_length = 0x00450400,              // PERF_COUNTER_QUEUELEN_TYPE
  large_queue_length = 0x00450500,        // PERF_COUNTER_LARGE_QUEUELEN_TYPE
  queue_length_100ns = 0x00550500,        // PERF_COUNTER_100NS_QUEUELEN_TYPE
  queue_length_object_time = 0x00650500,  // PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE
  // the value itself
  raw_count = 0x00010000,            // PERF_COUNTER_RAWCOUNT
  large_raw_count = 0x00010100,      // PERF_COUNTER_LARGE_RAWCOUNT
  raw_count_hex = 0x00000000,        // PERF_COUNTER_RAWCOUNT_HEX
  large_raw_count_hex = 0x00000100,  // PERF_COUNTER_LARGE_RAWCOUNT_HEX
  // difference between two samples
  delta = 0x00400400,        // PERF_COUNTER_DELTA
  large_delta = 0x00400500,  // PERF_COUNTER_LARGE_DELTA
  // fractions of a base counter, percent
  sample_fraction = 0x20C20400,     // PERF_SAMPLE_FRACTION
  sample_base = 0x40030401,         // PERF_SAMPLE_BASE
  raw_fraction = 0x20020400,        // PERF_RAW_FRACTION
  raw_base = 0x40030403,            // PERF_RAW_BASE
  large_raw_fraction = 0x20020500,  // PERF_LARGE_RAW_FRACTION
  large_raw_base = 0x40030500,      // PERF_LARGE_RAW_BASE and PERF_PRECISION_TIMESTAMP: one number
  // averages per operation
  average_timer = 0x30020400,  // PERF_AVERAGE_TIMER, seconds
  average_bulk = 0x40020500,   // PERF_AVERAGE_BULK
  average_base = 0x40030402,   // PERF_AVERAGE_BASE
  // seconds since a start time
  elapsed_time = 0x30240500,  // PERF_ELAPSED_TIME
  // percent of a time stamp that the provider took itself
  precision_system_timer = 0x20470500,  // PERF_PRECISION_SYSTEM_TIMER
  precision_100ns_timer = 0x20570500,   // PERF_PRECISION_100NS_TIMER
  precision_object_timer = 0x20670500,  // PERF_PRECISION_OBJECT_TIMER
  // no number to show
  text = 0x00000B00,       // PERF_COUNTER_TEXT
  no_data = 0x40000200,    // PERF_COUNTER_NODATA
  histogram = 0x80000000,  // PERF_COUNTER_HISTOGRAM_TYPE, unsupported
};

/// What arithmetic a type asks for. One row of the table behind `describe`.
enum class Formula : std::uint8_t {
  value,             // N1
  difference,        // N1 - N0
  rate,              // (N1 - N0) / seconds
  percent_of_time,   // 100 * (N1 - N0) / (T1 - T0), inverse: 100 * (1 - ...)
  multi_percent,     // 100 * (N1 - N0) / (T1 - T0) / B1, inverse: 100 * (B1 - ...)
  per_time,          // (N1 - N0) / (T1 - T0), in units of the time base: a queue's average length
  percent_of_base,   // 100 * N1 / B1
  percent_of_delta,  // 100 * (N1 - N0) / (B1 - B0)
  average_seconds,   // ((N1 - N0) / frequency) / (B1 - B0)
  average,           // (N1 - N0) / (B1 - B0)
  elapsed,           // (T1 - N1) / frequency
  none,              // bases, text, labels, unsupported
};

/// Which clock a formula's T is.
enum class TimeSource : std::uint8_t { performance, hundred_ns, object };

struct CounterTypeDescription {
  CounterType type;
  std::string_view name;  // as winperf.h spells it
  Formula formula;
  TimeSource time;
  bool inverse;
  bool has_base;  // the next counter definition is its base
  bool is_base;
  std::string_view formula_text;  // for people: "100 * (N1 - N0) / (B1 - B0)"
};

/// nullopt for a number that is none of the types above: such a counter is kept raw and never shown cooked.
[[nodiscard]] std::optional<CounterTypeDescription> describe(CounterType type);
/// The same without a copy, null for an unknown type. Points into a table that lives as long as the program.
[[nodiscard]] const CounterTypeDescription* find_description(CounterType type);

/// True when a cooked value needs two samples.
[[nodiscard]] bool needs_two_samples(Formula formula);

}  // namespace countertop
