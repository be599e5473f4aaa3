#include "collectors/core/cook.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace countertop {
namespace {

constexpr double kHundredNsFrequency = 1e7;

/// Wraps instead of overflowing: the difference of two unsigned 64-bit counters is right even past 2^63.
std::int64_t subtract(std::int64_t newer, std::int64_t older) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(newer) - static_cast<std::uint64_t>(older));
}

struct Difference {
  double value = 0;
  Absence absence = Absence::none;
};

/// Growth of one field, with the field's own rule for steps back.
Difference field_growth(const FieldDefinition& field, std::int64_t older, std::int64_t newer,
                        double seconds) {
  if (newer == kNoValue) return {0, Absence::not_readable};
  if (older == kNoValue) return {0, Absence::first_sample};
  std::int64_t growth = subtract(newer, older);
  if (growth < 0) {
    switch (field.backward) {
      case Backward::gauge:
        return {static_cast<double>(growth)};
      case Backward::reset:
        return {0, Absence::counter_reset};
      case Backward::floor_small:
        if (growth < -field.step_back_tolerance) return {0, Absence::counter_reset};
        return {};
      case Backward::floor:
        return {};
      case Backward::wrap_32bit:
        break;
    }
  }
  if (field.backward == Backward::wrap_32bit) growth &= 0xFFFF'FFFF;
  if (field.max_per_second > 0) {
    if (seconds <= 0) return {0, Absence::no_time};
    if (static_cast<double>(growth) > field.max_per_second * seconds) return {0, Absence::implausible};
  }
  return {static_cast<double>(growth)};
}

/// Sum of the terms' growths. Where every field only grows the sum cannot be below zero either: user - guest
/// of two reads that the kernel did not take at one moment may be -1 tick, which is 0.
Difference growth(const ObjectDefinition& object, const std::vector<Term>& terms, const std::int64_t* older,
                  const std::int64_t* newer, double seconds) {
  double sum = 0;
  bool only_grows = true;
  for (const Term term : terms) {
    const FieldDefinition& field = object.fields[term.field];
    const Difference one =
        field_growth(field, older == nullptr ? 0 : older[term.field], newer[term.field], seconds);
    if (one.absence != Absence::none) return one;
    only_grows = only_grows && field.backward != Backward::gauge;
    sum += term.sign < 0 ? -one.value : one.value;
  }
  return {only_grows ? std::max(sum, 0.0) : sum};
}

bool readable(const std::vector<Term>& terms, const std::int64_t* values) {
  return std::ranges::none_of(terms, [&](Term term) { return values[term.field] == kNoValue; });
}

double sum_of(const std::vector<Term>& terms, const std::int64_t* values) {
  double sum = 0;
  for (const Term term : terms) {
    const auto value = static_cast<double>(values[term.field]);
    sum += term.sign < 0 ? -value : value;
  }
  return sum;
}

struct ClockReading {
  std::int64_t time = 0;
  double frequency = 0;
};

ClockReading read_clock(TimeSource source, const TimeBase& base) {
  switch (source) {
    case TimeSource::hundred_ns:
      return {base.time_100ns, kHundredNsFrequency};
    case TimeSource::object:
      if (base.object_frequency > 0) return {base.object_time, static_cast<double>(base.object_frequency)};
      break;
    case TimeSource::performance:
      break;
  }
  return {base.perf_time, static_cast<double>(base.perf_frequency)};
}

/// By the performance clock; 0 also when its frequency is unknown.
double elapsed_seconds(const TimeBase& older, const TimeBase& newer) {
  if (newer.perf_frequency <= 0) return 0;
  return static_cast<double>(subtract(newer.perf_time, older.perf_time)) /
         static_cast<double>(newer.perf_frequency);
}

Cooked absent(Absence reason) { return {std::nan(""), reason}; }

Cooked present(double value, const CounterDefinition& counter) { return {value * counter.scale}; }

Cooked cook_one_sample(const CounterDefinition& counter, const CounterTypeDescription& type,
                       const RawSample& newer) {
  if (!readable(counter.value, newer.values.data()) || !readable(counter.base, newer.values.data()))
    return absent(Absence::not_readable);
  const double value = sum_of(counter.value, newer.values.data());
  if (type.formula == Formula::value) return present(value, counter);
  if (type.formula == Formula::percent_of_base) {
    const double base = sum_of(counter.base, newer.values.data());
    return base > 0 ? present(100 * value / base, counter) : absent(Absence::zero_base);
  }
  if (type.formula != Formula::elapsed) return absent(Absence::not_numeric);
  const ClockReading clock = read_clock(type.time, newer.time);
  if (clock.frequency <= 0) return absent(Absence::no_time);
  // Subtracting as integers first: both are large FILETIMEs of which a double would lose the last bits.
  if (counter.value.size() == 1 && counter.value.front().sign > 0) {
    const auto age = static_cast<double>(subtract(clock.time, newer.values[counter.value.front().field]));
    return present(std::max(age, 0.0) / clock.frequency, counter);
  }
  return present(std::max(static_cast<double>(clock.time) - value, 0.0) / clock.frequency, counter);
}

/// Types that divide by the growth of a base.
Cooked cook_per_base(const CounterDefinition& counter, const CounterTypeDescription& type, double value,
                     double base, double frequency) {
  if (base <= 0) return absent(Absence::zero_base);
  switch (type.formula) {
    case Formula::percent_of_delta:
      return present(100 * value / base, counter);
    case Formula::average_seconds:
      return frequency > 0 ? present(value / frequency / base, counter) : absent(Absence::no_time);
    default:
      return present(value / base, counter);
  }
}

/// Types that divide by the time between the samples. `base` is B1 of the multi types.
Cooked cook_per_time(const CounterDefinition& counter, const CounterTypeDescription& type, double value,
                     double ticks, double frequency, double base) {
  if (ticks <= 0 || frequency <= 0) return absent(Absence::no_time);
  const double share = value / ticks;
  switch (type.formula) {
    case Formula::rate:
      return present(value * frequency / ticks, counter);  // exact where the interval is a whole second
    case Formula::per_time:
      return present(share, counter);
    case Formula::percent_of_time:
      return present(type.inverse ? std::clamp(100 * (1 - share), 0.0, 100.0) : 100 * share, counter);
    default:
      break;
  }
  if (base <= 0) return absent(Absence::zero_base);
  const double percent =
      type.inverse ? std::clamp(100 * (base - share), 0.0, 100 * base) : 100 * share / base;
  return present(percent, counter);
}

bool divides_by_base_growth(Formula formula) {
  return formula == Formula::percent_of_delta || formula == Formula::average_seconds ||
         formula == Formula::average;
}

/// `older` null: every field began at zero.
Cooked cook_interval(const ObjectDefinition& object, const CounterDefinition& counter,
                     const CounterTypeDescription& type, const std::int64_t* older,
                     const TimeBase& older_time, const RawSample& newer) {
  const double seconds = elapsed_seconds(older_time, newer.time);
  if (seconds < 0) return absent(Absence::no_time);
  const Difference value = growth(object, counter.value, older, newer.values.data(), seconds);
  if (value.absence != Absence::none) return absent(value.absence);
  if (type.formula == Formula::difference) return present(value.value, counter);

  if (divides_by_base_growth(type.formula)) {
    const Difference base = growth(object, counter.base, older, newer.values.data(), seconds);
    if (base.absence != Absence::none) return absent(base.absence);
    return cook_per_base(counter, type, value.value, base.value,
                         static_cast<double>(newer.time.perf_frequency));
  }
  if (!readable(counter.base, newer.values.data())) return absent(Absence::not_readable);
  const ClockReading clock = read_clock(type.time, newer.time);
  const auto ticks = static_cast<double>(subtract(clock.time, read_clock(type.time, older_time).time));
  const double base = type.formula == Formula::multi_percent ? sum_of(counter.base, newer.values.data()) : 0;
  return cook_per_time(counter, type, value.value, ticks, clock.frequency, base);
}

}  // namespace

Cooked cook(const ObjectDefinition& object, const CounterDefinition& counter, const RawSample* older,
            const RawSample& newer) {
  const CounterTypeDescription* const type = find_description(counter.type);
  if (type == nullptr || type->formula == Formula::none) return absent(Absence::not_numeric);
  if (!needs_two_samples(type->formula)) return cook_one_sample(counter, *type, newer);
  if (older == nullptr) return absent(Absence::first_sample);
  return cook_interval(object, counter, *type, older->values.data(), older->time, newer);
}

Cooked cook_from_zero(const ObjectDefinition& object, const CounterDefinition& counter,
                      const TimeBase& older_time, const RawSample& newer) {
  const CounterTypeDescription* const type = find_description(counter.type);
  if (type == nullptr || type->formula == Formula::none) return absent(Absence::not_numeric);
  if (!needs_two_samples(type->formula)) return cook_one_sample(counter, *type, newer);
  return cook_interval(object, counter, *type, nullptr, older_time, newer);
}

CookedParts cook_parts(const ObjectDefinition& object, const CounterDefinition& counter,
                       const RawSample& older, const RawSample& newer) {
  CookedParts parts;
  const CounterTypeDescription* const type = find_description(counter.type);
  const ClockReading newer_clock =
      read_clock(type == nullptr ? TimeSource::performance : type->time, newer.time);
  const ClockReading older_clock =
      read_clock(type == nullptr ? TimeSource::performance : type->time, older.time);
  parts.older_time = static_cast<double>(older_clock.time);
  parts.newer_time = static_cast<double>(newer_clock.time);
  parts.time_frequency = newer_clock.frequency;
  if (type != nullptr && type->formula == Formula::average_seconds)
    parts.time_frequency = static_cast<double>(newer.time.perf_frequency);

  const double seconds = elapsed_seconds(older.time, newer.time);
  // Where the rules of the fields changed nothing the plain sum is shown, else the sum that the rule stands
  // for.
  const auto older_sum = [&](const std::vector<Term>& terms, double newer_sum) {
    const double plain = sum_of(terms, older.values.data());
    const Difference used = growth(object, terms, older.values.data(), newer.values.data(), seconds);
    if (used.absence != Absence::none || used.value == newer_sum - plain) return plain;
    return newer_sum - used.value;
  };
  const bool two = type != nullptr && needs_two_samples(type->formula);
  parts.newer_value = sum_of(counter.value, newer.values.data());
  parts.older_value =
      two ? older_sum(counter.value, parts.newer_value) : sum_of(counter.value, older.values.data());
  parts.newer_base = sum_of(counter.base, newer.values.data());
  parts.older_base = two && divides_by_base_growth(type->formula) ? older_sum(counter.base, parts.newer_base)
                                                                  : sum_of(counter.base, older.values.data());
  return parts;
}

std::string formula_text(const CounterDefinition& counter) {
  const CounterTypeDescription* const type = find_description(counter.type);
  if (type == nullptr || type->formula == Formula::none) return {};
  std::string text(type->formula_text);
  if (counter.scale == 1.0) return text;
  std::array<char, 32> number{};
  const auto written = std::to_chars(number.data(), number.data() + number.size(), counter.scale);
  return std::string(number.data(), written.ptr) + " * (" + text + ")";
}

std::string_view to_string(Absence absence) {
  switch (absence) {
    case Absence::none:
      return "none";
    case Absence::first_sample:
      return "first_sample";
    case Absence::counter_reset:
      return "counter_reset";
    case Absence::zero_base:
      return "zero_base";
    case Absence::no_time:
      return "no_time";
    case Absence::implausible:
      return "implausible";
    case Absence::not_numeric:
      return "not_numeric";
    case Absence::not_readable:
      return "not_readable";
  }
  return "none";
}

}  // namespace countertop
