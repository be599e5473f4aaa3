#include "server/history/quantize.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "server/history/bytes.hpp"

namespace countertop::history {
namespace {

// Values nearer to zero than 2^-40 count as zero (rounded down) or as 2^-40 (rounded up): it keeps the
// integers small, and no counter has a meaning below a billionth of its unit.
constexpr std::int64_t kSmallestExponent = 1023 - 40;

enum class Rounding { down, nearest, up };

/// What is taken off the shortened bit pattern, so that the smallest magnitude becomes 1.
std::int64_t offset(int bits) { return (kSmallestExponent << bits) - 1; }

/// Magnitudes only: rounds towards zero, to the nearest, or away from zero.
std::int64_t shorten(double magnitude, int bits, Rounding rounding) {
  const int dropped = 52 - bits;
  const auto pattern = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(magnitude));
  const std::int64_t unit = std::int64_t{1} << dropped;
  const bool is_infinite = std::isinf(magnitude);
  const std::int64_t added = is_infinite || rounding == Rounding::down ? 0
                             : rounding == Rounding::up                ? unit - 1
                                                                       : unit / 2;
  const std::int64_t kept = ((pattern + added) >> dropped) - offset(bits);
  if (kept >= 1) return kept;
  return rounding == Rounding::up && magnitude > 0 ? 1 : 0;
}

}  // namespace

std::int64_t quantize_down(double value, int bits) {
  if (std::isnan(value)) return kNoValue;
  return value >= 0 ? shorten(value, bits, Rounding::down) : -shorten(-value, bits, Rounding::up);
}

std::int64_t quantize_up(double value, int bits) {
  if (std::isnan(value)) return kNoValue;
  return value >= 0 ? shorten(value, bits, Rounding::up) : -shorten(-value, bits, Rounding::down);
}

std::int64_t quantize_nearest(double value, int bits) {
  if (std::isnan(value)) return kNoValue;
  return value >= 0 ? shorten(value, bits, Rounding::nearest) : -shorten(-value, bits, Rounding::nearest);
}

double dequantize(std::int64_t quantized, int bits) {
  const std::int64_t largest = (std::int64_t{2047} << bits) - offset(bits);  // infinity
  if (quantized > largest || quantized < -largest) return std::numeric_limits<double>::quiet_NaN();
  if (quantized == 0) return 0;
  const std::int64_t magnitude = quantized > 0 ? quantized : -quantized;
  const auto pattern = static_cast<std::uint64_t>(magnitude + offset(bits)) << (52 - bits);
  const double value = std::bit_cast<double>(pattern);
  return quantized > 0 ? value : -value;
}

}  // namespace countertop::history
