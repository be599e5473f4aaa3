// The one arithmetic from raw samples to the values people read, for every counter type of both systems.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "collectors/core/object.hpp"
#include "collectors/core/snapshot.hpp"

namespace countertop {

/// Why there is no value. Never shown as zero.
enum class Absence : std::uint8_t {
  none,           // there is a value
  first_sample,   // two samples are needed, there is one
  counter_reset,  // a field that only grows went back
  zero_base,      // nothing happened to take an average or a share of
  no_time,        // the clock did not move forward between the samples
  implausible,    // a field grew faster than it can
  not_numeric,    // text, label or unknown counter type
  not_readable,   // a field of it is kNoValue: no right to read it, or nothing there to read
};

[[nodiscard]] std::string_view to_string(Absence absence);

struct Cooked {
  double value = 0;
  Absence absence = Absence::none;

  [[nodiscard]] bool has_value() const { return absence == Absence::none; }
};

/// One instance's raw row with its clocks. Borrowed: valid while the snapshot or column it points into lives.
struct RawSample {
  std::span<const std::int64_t> values;  // one per field of the object
  TimeBase time;
};

/// Value of `counter` over the interval from `older` to `newer` (types that need one sample look at `newer`
/// only). `older` may be null: then types that need two samples give Absence::first_sample. Precondition: the
/// rows have object.fields.size() values and `object` is valid (why_invalid).
[[nodiscard]] Cooked cook(const ObjectDefinition& object, const CounterDefinition& counter,
                          const RawSample* older, const RawSample& newer);

/// Value for an instance born between `older_time` and `newer`: every field counted from zero over that
/// interval.
[[nodiscard]] Cooked cook_from_zero(const ObjectDefinition& object, const CounterDefinition& counter,
                                    const TimeBase& older_time, const RawSample& newer);

/// The sums that went into the formula, for people who want to check it ("show the sum"): formula_text
/// applied to them gives the cooked value. Where a field stepped back and counted as 0 (or wrapped), the
/// older sum is the newer one less the difference that was used; otherwise both are the plain sums of the
/// counter's terms.
struct CookedParts {
  double older_value = 0, newer_value = 0;  // N0, N1
  double older_base = 0, newer_base = 0;    // B0, B1
  double older_time = 0, newer_time = 0;    // T0, T1 of the formula's clock
  double time_frequency = 0;                // units of T per second
};
[[nodiscard]] CookedParts cook_parts(const ObjectDefinition& object, const CounterDefinition& counter,
                                     const RawSample& older, const RawSample& newer);

/// The counter's formula with its scale, for people: "512 * ((N1 - N0) / ((T1 - T0) / frequency))". Empty for
/// types that have no cooked value.
[[nodiscard]] std::string formula_text(const CounterDefinition& counter);

}  // namespace countertop
