#include "server/history/quantize.hpp"

#include <catch_amalgamated.hpp>
#include <cmath>
#include <limits>

#include "tests/unit/history/codec_support.hpp"

namespace countertop::history {

TEST_CASE("Minima are never raised and maxima never lowered, and both stay near", "[tier]") {
  test::Random random(1);
  for (int round = 0; round < 100'000; ++round) {
    const double magnitude = std::ldexp(1.0 + static_cast<double>(random() % 1'000'000) / 1e6,
                                        static_cast<int>(test::between(random, -30, 60)));
    const double value = random() % 2 == 0 ? magnitude : -magnitude;
    const double low = dequantize(quantize_down(value));
    const double high = dequantize(quantize_up(value));
    REQUIRE(low <= value);
    REQUIRE(high >= value);
    REQUIRE(std::abs(low - value) <= std::ldexp(magnitude, -kExtremeBits));
    REQUIRE(std::abs(high - value) <= std::ldexp(magnitude, -kExtremeBits));
  }
}

TEST_CASE("Averages are rounded to the nearest, and again to the same", "[tier]") {
  test::Random random(2);
  for (int round = 0; round < 100'000; ++round) {
    const double value = std::ldexp(1.0 + static_cast<double>(random() % 1'000'000) / 1e6,
                                    static_cast<int>(test::between(random, -30, 60)));
    const std::int64_t quantized = quantize_nearest(value, kAverageBits);
    const double back = dequantize(quantized, kAverageBits);
    REQUIRE(std::abs(back - value) <= std::ldexp(value, -kAverageBits - 1));
    REQUIRE(quantize_nearest(back, kAverageBits) == quantized);
    REQUIRE(quantize_nearest(-value, kAverageBits) == -quantized);
  }
}

TEST_CASE("Whole numbers that people read stay exact", "[tier]") {
  for (int value = -512; value <= 512; ++value) {
    REQUIRE(dequantize(quantize_down(value)) == value);
    REQUIRE(dequantize(quantize_up(value)) == value);
  }
}

TEST_CASE("Quantized values sort as the values do", "[tier]") {
  const double values[] = {
      -std::numeric_limits<double>::infinity(), -1e300, -5, -1, -1e-9, 0, 1e-9, 0.5, 1, 5, 1e300,
      std::numeric_limits<double>::infinity()};
  for (std::size_t i = 1; i < std::size(values); ++i) {
    CHECK(quantize_down(values[i - 1]) <= quantize_down(values[i]));
    CHECK(quantize_up(values[i - 1]) <= quantize_up(values[i]));
  }
  CHECK(quantize_down(-1) < 0);
  CHECK(quantize_up(0) == 0);
}

TEST_CASE("Values near zero keep their side of it", "[tier]") {
  CHECK(dequantize(quantize_down(1e-30)) == 0);
  CHECK(dequantize(quantize_up(1e-30)) > 0);
  CHECK(dequantize(quantize_up(1e-30)) < 1e-11);
  CHECK(dequantize(quantize_up(-1e-30)) == 0);
  CHECK(dequantize(quantize_down(-1e-30)) < 0);
  CHECK(quantize_up(-0.0) == 0);
}

TEST_CASE("No value stays no value, and foreign integers give none", "[tier]") {
  CHECK(quantize_down(std::nan("")) == kNoValue);
  CHECK(quantize_up(std::nan("")) == kNoValue);
  CHECK(std::isnan(dequantize(kNoValue)));
  CHECK(std::isnan(dequantize(INT64_MAX)));
  CHECK(std::isnan(dequantize(-(std::int64_t{2049} << 8))));
  CHECK(std::isinf(dequantize(quantize_up(std::numeric_limits<double>::infinity()))));
}

}  // namespace countertop::history
