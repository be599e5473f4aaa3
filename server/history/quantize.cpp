#include "server/history/quantize.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "server/history/bytes.hpp"

namespace countertop::history {
namespace {

constexpr int kDroppedBits = 52 - kMantissaBits;
// Values nearer to zero than 2^-40 count as zero (minima) or as 2^-40 (maxima): it keeps the integers small,
// and no counter has a meaning below a billionth of its unit.
constexpr std::int64_t kSmallestExponent = 1023 - 40;
constexpr std::int64_t kOffset = (kSmallestExponent << kMantissaBits) - 1;
constexpr std::int64_t kLargest = (std::int64_t{2047} << kMantissaBits) - kOffset;  // infinity

/// Magnitudes only: rounds towards zero, or away from it.
std::int64_t shorten(double magnitude, bool up) {
  const auto bits = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(magnitude));
  const std::int64_t mask = (std::int64_t{1} << kDroppedBits) - 1;
  const std::int64_t kept = (bits >> kDroppedBits) + ((up && (bits & mask) != 0) ? 1 : 0) - kOffset;
  if (kept >= 1) return kept;
  return up && magnitude > 0 ? 1 : 0;
}

}  // namespace

std::int64_t quantize_down(double value) {
  if (std::isnan(value)) return kNoValue;
  return value >= 0 ? shorten(value, false) : -shorten(-value, true);
}

std::int64_t quantize_up(double value) {
  if (std::isnan(value)) return kNoValue;
  return value >= 0 ? shorten(value, true) : -shorten(-value, false);
}

double dequantize(std::int64_t quantized) {
  if (quantized > kLargest || quantized < -kLargest) return std::numeric_limits<double>::quiet_NaN();
  if (quantized == 0) return 0;
  const std::int64_t magnitude = quantized > 0 ? quantized : -quantized;
  const auto bits = static_cast<std::uint64_t>(magnitude + kOffset) << kDroppedBits;
  const double value = std::bit_cast<double>(bits);
  return quantized > 0 ? value : -value;
}

}  // namespace countertop::history
