// The bytes of a column, shared by its encoder and decoder.
//
//   tag | [gaps: varint run count, then (rows before, rows without a value) for each] | [varint divisor]
//   | zigzag varint base | [zigzag varint step] | [plane count | byte planes of the residuals]
#pragma once

#include <cstdint>

namespace countertop::history {

/// The low bits of the tag.
enum ColumnTransform : std::uint8_t {
  kConstant = 0,    // base in every row
  kLine = 1,        // base, base + step, ...
  kPlain = 2,       // base is the smallest value; residuals: every value above it
  kDelta = 3,       // base is the first value; residuals: differences
  kDeltaDelta = 4,  // base is the first value; residuals: differences of differences (the first one from 0)
  kNearLine = 5,    // as kLine; residuals: the distance of each later value from that line
};
inline constexpr std::uint8_t kTransformMask = 0x07;
inline constexpr std::uint8_t kHasGaps = 0x08;     // rows without a value are described first and left out
inline constexpr std::uint8_t kHasDivisor = 0x10;  // residuals were divided by a number
inline constexpr std::uint8_t kUnsigned = 0x20;    // residuals are never negative and not zigzagged
inline constexpr std::uint8_t kUnusedTagBits = 0xc0;

}  // namespace countertop::history
