// Columns of every shape, and the hostile treatment that every decoder must survive.
#pragma once

#include <catch_amalgamated.hpp>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "server/history/bytes.hpp"

namespace countertop::history::test {

using Random = std::mt19937_64;
using Column = std::vector<std::int64_t>;

/// Uniform in [low, high]; the same on every platform.
inline std::int64_t between(Random& random, std::int64_t low, std::int64_t high) {
  const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const std::uint64_t step = range == UINT64_MAX ? random() : random() % (range + 1);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + step);
}

inline constexpr int kShapes = 12;

/// Counters, gauges, noise, lines, extremes, and all of that with missing values.
inline Column random_column(Random& random, int shape, std::size_t rows) {
  Column column(rows);
  std::int64_t level = between(random, 0, 1'000'000'000);
  const std::int64_t step = between(random, -5000, 5000);
  for (std::size_t i = 0; i < rows; ++i) {
    switch (shape) {
      case 0:
        column[i] = level;
        break;  // constant
      case 1:
        column[i] = wrapping_add(level, step * static_cast<std::int64_t>(i));
        break;  // line
      case 2:
        column[i] = level += between(random, 0, 300);
        break;  // counter
      case 3:
        column[i] = level += 4096 * between(random, 0, 20);
        break;  // counter in pages
      case 4:
        column[i] = level += between(random, -70'000, 70'000);
        break;  // wandering gauge
      case 5:
        column[i] = between(random, 0, 3);
        break;  // small noise
      case 6:
        column[i] = level += 10'000 + between(random, -30, 30);
        break;  // clock with jitter
      case 7:
        column[i] = between(random, INT64_MIN, INT64_MAX);
        break;  // anything
      case 8:
        column[i] = i % 2 == 0 ? INT64_MAX : INT64_MIN + 1;
        break;  // extremes
      case 9:
        column[i] = i == rows / 2 ? std::int64_t{1} << 60 : 7;
        break;  // one spike
      case 10:
        column[i] = random() % 5 == 0 ? kNoValue : level += between(random, 0, 9);
        break;
      default:
        column[i] = i > rows / 3 && i < rows / 2 ? kNoValue : level += between(random, -9, 9);
        break;
    }
  }
  return column;
}

/// `decode` gets damaged copies of `blob` and says whether it accepted them: every truncation, and every
/// single flipped bit, must be refused.
inline void require_damage_is_refused(ByteView blob, const std::function<bool(ByteView)>& decode) {
  for (std::size_t size = 0; size < blob.size(); ++size) {
    const Bytes cut(blob.begin(), blob.begin() + static_cast<std::ptrdiff_t>(size));
    if (decode(cut)) FAIL("accepted after truncation to " << size << " of " << blob.size() << " bytes");
  }
  for (std::size_t bit = 0; bit < blob.size() * 8; ++bit) {
    Bytes flipped(blob.begin(), blob.end());
    flipped[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
    if (decode(flipped)) FAIL("accepted with bit " << bit << " flipped");
  }
}

/// Random bytes in the place of some of the blob's, with a check sum that fits: the decoder may accept or
/// refuse, it must not crash, hang or allocate without bound.
inline void require_survives_forgery(Random& random, ByteView blob,
                                     const std::function<bool(ByteView)>& decode) {
  for (int round = 0; round < 300; ++round) {
    Bytes forged(blob.begin(), blob.end() - kCheckBytes);
    const auto changes = between(random, 1, 4);
    for (std::int64_t i = 0; i < changes && !forged.empty(); ++i) {
      const auto at =
          static_cast<std::size_t>(between(random, 0, static_cast<std::int64_t>(forged.size()) - 1));
      forged[at] = static_cast<std::uint8_t>(random());
    }
    if (random() % 4 == 0) forged.resize(forged.size() / 2);
    append_check(forged);
    (void)decode(forged);
  }
}

}  // namespace countertop::history::test
