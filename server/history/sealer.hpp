// Turns closed stretches of ticks into parts: chunks for each instance, a row for each brief one, and the ticks go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/chunk_codec.hpp"
#include "server/history/clock_codec.hpp"
#include "server/history/database.hpp"
#include "server/history/seal_survey.hpp"

namespace countertop::history {

/// One thread. A part counts from the moment its row in `part` is there: when the program ends in between, the next one
/// seals the same ticks again, over the same ids.
class Sealer {
 public:
  explicit Sealer(Database& database) : database_(&database) {}

  /// One slice of work; the file is locked against writers for milliseconds. False: no stretch is closed.
  [[nodiscard]] Result<bool> step(std::int64_t now_ms);

  /// Sentences on stored data that could not be read, since the last call.
  [[nodiscard]] std::vector<std::string> take_problems();

 private:
  struct Target {
    std::uint32_t object = 0;  // index into survey.objects
    std::uint32_t instance = 0;
    bool is_clock = false;
  };
  struct Job {
    SealStretch stretch;
    SealSurvey survey;
    std::int64_t part = 0;
    std::vector<Target> targets;  // clocks and those that deserve chunks, by id
    std::size_t done = 0;
  };

  [[nodiscard]] Result<bool> begin_job(std::int64_t now_ms);
  [[nodiscard]] Result<std::optional<SealStretch>> find_closed(std::int64_t now_ms);
  [[nodiscard]] Result<void> seal_batch();
  [[nodiscard]] Result<void> finish_job();
  [[nodiscard]] std::vector<ObjectPlan> plan_batch(std::size_t& end) const;
  [[nodiscard]] Result<ByteView> encode_rows(const std::vector<TailSegment>& segments, std::uint32_t object,
                                             std::uint32_t instance);
  [[nodiscard]] Result<ByteView> encode_clock(const SurveyedObject& object);
  [[nodiscard]] Result<void> write_instances();
  [[nodiscard]] Result<void> write_brief();
  void note_damage(const std::vector<Error>& damage);

  Database* database_;
  std::optional<Job> job_;
  ChunkEncoder encoder_;
  ClockEncoder clock_encoder_;
  std::vector<std::string> problems_;
};

}  // namespace countertop::history
