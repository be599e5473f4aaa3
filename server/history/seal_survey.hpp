// What a stretch of unsealed ticks holds: who was there, how long, and who deserves a chunk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/database.hpp"
#include "server/history/tail.hpp"

namespace countertop::history {

/// Consecutive ticks of one window and one segment: what becomes one part.
struct SealStretch {
  std::int64_t host = 0;
  std::int64_t window = 0;
  std::int64_t segment = 0;
  std::vector<TickHead> heads;
};

struct SurveyedInstance {
  std::string name;             // empty when only the `instance` table knows it
  bool is_known = false;        // has a row in the `instance` table
  bool from_zero = false;       // of its arrival
  bool has_name = false;        // an arrival or a row tells its name
  bool deserves_chunk = false;
  std::uint32_t rows = 0;
  std::uint32_t first_row = 0;  // of the object's clock in this stretch
  std::uint32_t last_row = 0;
  std::vector<std::int64_t> first_values, last_values;  // only of objects with a NotableRule
};

struct SurveyedObject {
  std::uint32_t id = 0;
  ObjectHandle definition;
  std::uint32_t clock_instance = 0;
  std::vector<TimeBase> times;
  std::unordered_map<std::uint32_t, SurveyedInstance> instances;  // by id
};

struct SealSurvey {
  std::vector<SurveyedObject> objects;
  std::vector<Error> damage;  // ticks that could not be read, objects without a readable definition
  std::int64_t first_ms = 0;  // of all times
  std::int64_t last_ms = 0;
};

/// Definitions by object id; those that cannot be read are left out and told in `damage`.
[[nodiscard]] Result<std::unordered_map<std::uint32_t, ObjectHandle>> read_definitions(Database& database,
                                                                                       std::vector<Error>& damage);

/// Inside a read transaction.
[[nodiscard]] Result<SealSurvey> survey(Database& database, const SealStretch& stretch);

}  // namespace countertop::history
