// Cooked values as short integers, for tiers: less exact, much smaller, and an extreme is never hidden.
//
// A double keeps its sign, its exponent and some bits of its mantissa, mapped to an integer that sorts as the
// double does. Minima are rounded down and maxima up, by less than 2^-kExtremeBits of the value (0.4
// percent); whole numbers up to 512 stay exact. Averages are rounded to the nearest of more bits.
#pragma once

#include <cstdint>

namespace countertop::history {

inline constexpr int kExtremeBits = 8;   // minima, maxima
inline constexpr int kAverageBits = 10;  // off by at most one part in 2048
inline constexpr int kLastBits = 8;      // off by at most one part in 512

/// The nearest representable value at or below `value`; NaN becomes kNoValue.
[[nodiscard]] std::int64_t quantize_down(double value, int bits = kExtremeBits);
/// The nearest representable value at or above `value`; NaN becomes kNoValue.
[[nodiscard]] std::int64_t quantize_up(double value, int bits = kExtremeBits);
/// The nearest representable value; NaN becomes kNoValue.
[[nodiscard]] std::int64_t quantize_nearest(double value, int bits);
/// The value that a quantized integer stands for; NaN for kNoValue and for integers that quantize never
/// gives.
[[nodiscard]] double dequantize(std::int64_t quantized, int bits = kExtremeBits);

}  // namespace countertop::history
