// The reader's dictionary: objects in all their definitions, and which instances answer a pattern.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/object.hpp"
#include "collectors/core/result.hpp"
#include "server/history/arrivals.hpp"
#include "server/history/database.hpp"
#include "server/query/model.hpp"

namespace countertop::history {

struct ObjectVersion {
  std::uint32_t id = 0;
  ObjectHandle definition;
  std::int64_t first_ms = 0;
};

struct InstanceRecord {
  std::uint32_t id = 0;
  std::string name;
  std::int64_t first_ms = 0;
  std::int64_t last_ms = 0;  // INT64_MAX: not sealed yet
  bool from_zero = false;
};

/// One thread at a time, inside one read transaction: call refresh first in each.
class Catalog {
 public:
  [[nodiscard]] Result<void> refresh(Database& database);
  /// Everything known is void: the file was replaced.
  void clear();

  /// Versions of one object, oldest first; null when it never existed.
  [[nodiscard]] const std::vector<ObjectVersion>* versions(std::string_view object) const;
  [[nodiscard]] const std::map<std::string, std::vector<ObjectVersion>, std::less<>>& objects() const {
    return objects_;
  }
  /// Definitions that could not be read.
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

  /// The host whose data lie in the file under this name, "" for the one that was written last. nullopt:
  /// unknown.
  [[nodiscard]] Result<std::optional<std::int64_t>> host(std::string_view name);
  [[nodiscard]] Result<std::string> host_name(std::int64_t host);

  [[nodiscard]] Result<std::vector<InstanceRecord>> exact(std::int64_t host, std::uint32_t object,
                                                          std::string_view name);
  /// Members "GROUP:..." that may have data in the range.
  [[nodiscard]] Result<std::vector<InstanceRecord>> group(std::int64_t host, std::uint32_t object,
                                                          std::string_view name, query::TimeRange range);
  /// All that may have data in the range; some that ended shortly before it are among them.
  [[nodiscard]] Result<std::vector<InstanceRecord>> alive(std::int64_t host, std::uint32_t object,
                                                          query::TimeRange range);
  /// Whether an instance whose sealed rows end at `last_ms` may go on in unsealed ones.
  [[nodiscard]] bool may_be_alive(std::int64_t last_ms) const;
  /// Ids of the object's clock instance, also when it is not sealed yet.
  [[nodiscard]] Result<std::vector<std::uint32_t>> clocks(std::int64_t host, std::uint32_t object);

 private:
  [[nodiscard]] Result<void> read_objects();
  [[nodiscard]] Result<void> read_arrivals_of_tail();
  template <typename Wanted>
  void add_unsealed(std::uint32_t object, std::vector<InstanceRecord>& found, const Wanted& wanted) const;
  [[nodiscard]] std::int64_t end_bound(query::TimeRange range) const;

  Database* database_ = nullptr;
  std::int64_t last_object_ = 0;
  std::int64_t last_sealed_ms_ = 0;
  std::map<std::string, std::vector<ObjectVersion>, std::less<>> objects_;
  std::vector<std::string> problems_;
  std::vector<Arrival> arrivals_;            // of unsealed ticks
  std::vector<std::int64_t> arrival_times_;  // of the ticks they are in
};

}  // namespace countertop::history
