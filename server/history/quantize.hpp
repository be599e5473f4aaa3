// Minima and maxima of cooked values as short integers that never hide an extreme.
//
// A double keeps its sign, its exponent and kMantissaBits of its mantissa, mapped to an integer that sorts as
// the double does. Minima are rounded down and maxima up, by less than 2^-kMantissaBits of the value.
#pragma once

#include <cstdint>

namespace countertop::history {

inline constexpr int kMantissaBits = 10;

/// The nearest representable value at or below `value`; NaN becomes kNoValue.
[[nodiscard]] std::int64_t quantize_down(double value);
/// The nearest representable value at or above `value`; NaN becomes kNoValue.
[[nodiscard]] std::int64_t quantize_up(double value);
/// The value that a quantized integer stands for; NaN for kNoValue and for integers that quantize never
/// gives.
[[nodiscard]] double dequantize(std::int64_t quantized);

}  // namespace countertop::history
