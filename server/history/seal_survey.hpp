// What is in a window about to be sealed: which instances, how long they lived and what they did. The first
// pass.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "collectors/core/object.hpp"
#include "collectors/core/result.hpp"
#include "server/history/database.hpp"
#include "server/history/tail.hpp"

namespace countertop::history {

/// Ticks of one segment in one window: what becomes a part.
struct SealGroup {
  std::int64_t host = 0;
  std::int64_t segment = 0;
  std::int64_t window = 0;
  std::vector<TickHead> heads;  // all unsealed ticks of the host; those of the group lie among them
  std::size_t first = 0, last = 0;
  std::size_t ticks = 0;

  [[nodiscard]] bool contains(const TickHead& head) const;
};

/// The oldest closed group: its window is over, or a newer segment follows. nullopt: nothing to seal.
[[nodiscard]] Result<std::optional<SealGroup>> find_closed_group(Database& database, std::int64_t now_ms);

struct SurveyInstance {
  std::uint32_t id = 0;
  std::size_t rows = 0;
  std::int64_t first_ms = 0, last_ms = 0;
  std::int64_t born_ms = 0;  // the object's row before the first one; first_ms when there is none
  bool alive_at_end = false;
  std::vector<std::int64_t> first, last;  // raw values, for objects with a NotableRule only
};

struct SurveyObject {
  std::uint32_t id = 0;
  ObjectHandle definition;  // null: its row is damaged; the fields are still known
  std::size_t fields = 0;
  std::vector<TimeBase> times;
  std::vector<SurveyInstance> instances;  // in order of appearance
};

/// One pass over the ticks of the group. Objects by id.
[[nodiscard]] Result<std::map<std::uint32_t, SurveyObject>> survey(Database& database,
                                                                   const SealGroup& group);

/// Names of what came during the unsealed ticks.
struct Newcomer {
  std::string name;
  std::uint32_t object = 0;
  bool is_clock = false;
  bool from_zero = false;
};
[[nodiscard]] Result<std::unordered_map<std::uint32_t, Newcomer>> read_newcomers(Database& database,
                                                                                 std::int64_t host);

/// Growth of the rule's work in the window; from zero when the instance was born in it.
[[nodiscard]] std::int64_t work_done(const NotableRule& rule, const SurveyInstance& instance, bool from_zero);

}  // namespace countertop::history
