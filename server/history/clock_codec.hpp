// The times of one object's snapshots in one window: the chunk of the object's hidden clock instance.
//
// Objects that are read together have almost the same times, and times are what compresses worst. A clock
// chunk can therefore be written as differences against another object's clock chunk of the same window
// ("reference").
//   codec byte | flags (1 = compressed, 2 = has reference) | [varint reference instance] | varint rows
//   | varint body size | body (a zstd frame or plain) | check sum
//   body: for each clock: varint (size << 1 | 1 when predicted from the performance clock) | column
//   (column_codec.hpp)
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collectors/core/result.hpp"
#include "collectors/core/snapshot.hpp"
#include "server/history/bytes.hpp"
#include "server/history/chunk_codec.hpp"

namespace countertop::history {

inline constexpr std::uint8_t kClockCodec = 1;

/// The times another clock instance has in the same window and part.
struct ClockReference {
  std::uint32_t instance =
      0;  // id of the clock instance whose chunk they come from; that chunk has no reference
  std::span<const TimeBase> times;
};

class ClockEncoder {
 public:
  /// Uses `reference` where it has as many rows and saves bytes, else the times stand alone. The result
  /// borrows the encoder's buffer: valid until the next call.
  [[nodiscard]] Result<ByteView> encode(std::span<const TimeBase> times,
                                        const ClockReference* reference = nullptr);

 private:
  void write_body(std::span<const TimeBase> times, std::span<const TimeBase> reference, Bytes& out);

  Compressor compressor_;
  Bytes body_, blob_, other_blob_;
  std::vector<std::int64_t> column_;
};

/// The clock instance that `blob` needs as its reference, nullopt when it stands alone.
[[nodiscard]] Result<std::optional<std::uint32_t>> clock_reference(ByteView blob);

class ClockDecoder {
 public:
  /// `reference`: the decoded times of the instance that clock_reference names, else empty. Fills `times`.
  [[nodiscard]] Result<void> decode(ByteView blob, std::span<const TimeBase> reference,
                                    std::vector<TimeBase>& times);

 private:
  Decompressor decompressor_;
  Bytes body_;
  std::vector<std::int64_t> column_;
};

}  // namespace countertop::history
