// Reads chunks of sealed parts: the times of an object and the rows of its instances.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/chunk_codec.hpp"
#include "server/history/clock_codec.hpp"
#include "server/history/database.hpp"
#include "server/history/row_scan.hpp"
#include "server/history/series_plan.hpp"

namespace countertop::history {

/// A row of the `part` table.
struct SealedPart {
  std::int64_t window = 0;
  std::int64_t part = 0;
  std::int64_t segment = 0;
  std::int64_t first_ms = 0;
  std::int64_t last_ms = 0;
  int rolled = 0;
};

/// One thread at a time. Keeps decoders and the clocks of the current part.
class SealedRows {
 public:
  [[nodiscard]] static Result<SealedRows> open(Database& database);

  /// Times of the object in this part; empty when it has none there. Valid until the next call with another
  /// part.
  [[nodiscard]] Result<const std::vector<TimeBase>*> times(const SealedPart& part,
                                                           const std::vector<std::uint32_t>& clocks);

  /// Fills `rows` with the fields wanted; false: the instance has no chunk in this part. `rows_in_clock`: a
  /// chunk that refers to rows beyond it is malformed.
  [[nodiscard]] Result<bool> read(const SealedPart& part, std::uint32_t instance,
                                  std::size_t fields_of_object, std::span<const std::uint16_t> wanted,
                                  std::size_t rows_in_clock, InstanceRows& rows);

 private:
  explicit SealedRows(Statement find) : find_(std::move(find)) {}
  [[nodiscard]] Result<const std::vector<TimeBase>*> clock(const SealedPart& part, std::uint32_t instance,
                                                           bool may_refer);

  Statement find_;
  ChunkDecoder decoder_;
  ClockDecoder clock_decoder_;
  std::int64_t current_ = -1;
  std::map<std::uint32_t, std::vector<TimeBase>> clocks_;  // of the current part
};

}  // namespace countertop::history
