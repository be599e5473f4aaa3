// Fills the coarse tiers: when a minute window (6 h) is over and sealed, its parts become minutes and hours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/database.hpp"
#include "server/history/minute_rows.hpp"
#include "server/history/sealed_rows.hpp"
#include "server/history/series_plan.hpp"

namespace countertop::history {

/// One thread. Minutes count from the moment their row in `minute_part` is there: an interrupted roll-up is done again
/// over the same ids.
class RollUp {
 public:
  explicit RollUp(Database& database) : database_(&database) {}

  /// One slice of work; the file is locked against writers for milliseconds. False: nothing to roll up.
  [[nodiscard]] Result<bool> step(std::int64_t now_ms);
  [[nodiscard]] std::vector<std::string> take_problems();

 private:
  struct Source {
    std::uint32_t object = 0;
    InstancePlan instance;
  };
  struct Job {
    std::int64_t host = 0;
    std::int64_t window = 0;  // of the minute tier
    std::int64_t part = 0;
    std::vector<SealedPart> parts;  // by segment, then window
    std::unordered_map<std::uint32_t, ObjectHandle> definitions;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> clocks;  // by object
    std::vector<Source> sources;    // by instance id
    std::size_t done = 0;
  };

  [[nodiscard]] Result<bool> begin_job(std::int64_t now_ms);
  [[nodiscard]] Result<bool> find_window(std::int64_t now_ms, Job& job);
  [[nodiscard]] Result<void> claim_parts(Job& job);
  [[nodiscard]] Result<void> find_sources(Job& job);
  [[nodiscard]] Result<void> find_clocks(Job& job);
  [[nodiscard]] Result<void> roll_batch();
  [[nodiscard]] Result<void> scan_batch(ObjectPlan& plan);
  [[nodiscard]] Result<void> store_batch(const ObjectPlan& plan);
  [[nodiscard]] Result<void> store_hours(const ObjectPlan& plan, std::size_t index);
  [[nodiscard]] Result<std::int64_t> counter_number(const std::string& name);
  [[nodiscard]] Result<void> finish_job();

  Database* database_;
  std::optional<Job> job_;
  std::vector<MinuteBuilder> builders_;  // one for each instance of the batch
  std::vector<query::TierPoint> points_;
  std::vector<std::string> problems_;
};

}  // namespace countertop::history
