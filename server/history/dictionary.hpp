// Which number stands for which object and instance. The writer's side: hands out numbers and remembers them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "collectors/core/result.hpp"
#include "collectors/core/snapshot.hpp"
#include "server/history/arrivals.hpp"
#include "server/history/database.hpp"

namespace countertop::history {

/// What the writer knows of one object while it runs.
struct ObjectEntry {
  std::uint32_t id = 0;
  ObjectHandle definition;
  std::uint32_t clock_instance = 0;  // 0: no number yet
  TimeBase last_time;                // of its newest snapshot, valid when last_segment is the current one
  std::int64_t last_segment = -1;
  std::vector<InstanceName> names;  // the newest list, and its ids
  std::vector<std::uint32_t> ids;
  std::unordered_map<std::string, std::uint32_t> known;
};

/// One thread at a time. After a transaction that was rolled back: load again, everything kept is void.
class Dictionary {
 public:
  /// Finds or adds the host and reads which numbers are taken, from the instance table and from unsealed
  /// arrivals.
  [[nodiscard]] Result<void> load(Database& database, const std::string& host);

  [[nodiscard]] std::int64_t host_id() const { return host_id_; }

  /// Adds a row to the `object` table when this definition was never stored.
  [[nodiscard]] Result<ObjectEntry*> object_for(const ObjectHandle& definition, std::int64_t now_ms);

  /// Fills entry.ids for `names` of a snapshot taken at `wall_ms`, cheaply when the list is the one before.
  /// Instances that were not in it are appended to `arrivals`. invalid_argument when a name is there twice.
  [[nodiscard]] Result<void> identify(ObjectEntry& entry, const std::vector<InstanceName>& names,
                                      std::int64_t wall_ms, std::vector<Arrival>& arrivals);

  /// Forgets instances that went long ago. Call it now and then (once a window).
  void forget_gone();

 private:
  [[nodiscard]] Result<std::uint32_t> number_for(ObjectEntry& entry, const InstanceName& instance,
                                                 bool is_clock);
  [[nodiscard]] Result<std::uint32_t> object_id(const ObjectDefinition& definition, std::int64_t now_ms);
  [[nodiscard]] Result<void> load_host(const std::string& host);
  [[nodiscard]] Result<void> load_unsealed();

  Database* database_ = nullptr;
  Statement find_instance_;
  std::int64_t host_id_ = 0;
  std::int64_t next_instance_ = 1;
  std::unordered_map<std::uint32_t, std::unique_ptr<ObjectEntry>> objects_;  // by object id
  std::unordered_map<ObjectHandle, ObjectEntry*> by_definition_;
  std::unordered_map<std::uint32_t, std::unordered_map<std::string, std::uint32_t>>
      unsealed_;  // by object id
  std::unordered_map<std::uint32_t, std::uint32_t> unsealed_clocks_;
};

}  // namespace countertop::history
