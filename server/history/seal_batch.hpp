// Collects the rows of some instances of a group and encodes them: the part of sealing that costs time and
// memory.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/chunk_codec.hpp"
#include "server/history/database.hpp"
#include "server/history/seal_survey.hpp"

namespace countertop::history {

/// Values that are decoded at once: 4 MB.
inline constexpr std::size_t kMaxBatchValues = std::size_t{512} << 10;

struct BatchItem {
  const SurveyObject* object = nullptr;
  const SurveyInstance* instance = nullptr;
};

struct EncodedChunk {
  std::uint32_t instance = 0;
  Bytes blob;
};

/// Not for two threads at once.
class SealBatch {
 public:
  /// Replays the ticks of the group once. Instances of one object must be neighbours in `items`.
  [[nodiscard]] Result<std::vector<EncodedChunk>> encode(Database& database, const SealGroup& group,
                                                         std::span<const BatchItem> items);

 private:
  struct Rows {
    std::vector<PresenceRun> runs;
    std::vector<std::vector<std::int64_t>> columns;
  };
  class ObjectRows;

  ChunkEncoder encoder_;
};

}  // namespace countertop::history
