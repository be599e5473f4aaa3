#include "server/history/catalog.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_set>

#include "server/history/definition_json.hpp"
#include "server/history/layout.hpp"
#include "server/query/counter_path.hpp"

namespace countertop::history {

namespace {

/// instance.last_ms of those alive is as old as the last sealed window, less the interval of slow collectors.
constexpr std::int64_t kSlackMs = 120'000;

Result<std::vector<InstanceRecord>> read_instances(Statement& select) {
  std::vector<InstanceRecord> found;
  for (;;) {
    const auto row = select.step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return found;
    const std::int64_t id = select.integer(0);
    if (id < 1 || id > kMaxInstance) continue;
    found.push_back(InstanceRecord{static_cast<std::uint32_t>(id), std::string(select.text(1)),
                                   select.integer(2), select.integer(3), select.integer(4) != 0});
  }
}

constexpr std::string_view kColumns = "SELECT id, name, first_ms, last_ms, from_zero FROM instance ";

}  // namespace

void Catalog::clear() {
  last_object_ = 0;
  objects_.clear();
  problems_.clear();
}

Result<void> Catalog::refresh(Database& database) {
  database_ = &database;
  if (const auto read = read_objects(); !read) return read;
  const auto sealed =
      database.integer("SELECT max(last_ms) FROM (SELECT last_ms FROM part ORDER BY window DESC LIMIT 8)");
  if (!sealed) return tl::unexpected<Error>(sealed.error());
  last_sealed_ms_ = sealed->value_or(0);
  return read_arrivals_of_tail();
}

Result<void> Catalog::read_objects() {
  auto select = database_->prepare("SELECT id, definition, first_ms FROM object WHERE id>?1 ORDER BY id");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, last_object_);
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return {};
    last_object_ = select->integer(0);
    auto definition = definition_from_json(select->text(1));
    if (!definition) {
      problems_.push_back(definition.error().message);
      continue;
    }
    const ObjectVersion version{static_cast<std::uint32_t>(last_object_), std::move(*definition),
                                select->integer(2)};
    objects_[version.definition->name].push_back(version);
  }
}

Result<void> Catalog::read_arrivals_of_tail() {
  arrivals_.clear();
  arrival_times_.clear();
  auto select =
      database_->prepare("SELECT arrivals, wall_ms FROM tick WHERE arrivals IS NOT NULL ORDER BY id");
  if (!select) return tl::unexpected<Error>(select.error());
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return {};
    (void)read_arrivals(select->blob(0), arrivals_);  // what comes before the damage is used
    arrival_times_.resize(arrivals_.size(), select->integer(1));
  }
}

const std::vector<ObjectVersion>* Catalog::versions(std::string_view object) const {
  const auto found = objects_.find(object);
  return found == objects_.end() ? nullptr : &found->second;
}

Result<std::optional<std::int64_t>> Catalog::host(std::string_view name) {
  if (name.empty()) return database_->integer("SELECT host FROM run ORDER BY id DESC LIMIT 1");
  auto select = database_->prepare("SELECT id FROM host WHERE name=?1");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, name);
  const auto row = select->step();
  if (!row) return tl::unexpected<Error>(row.error());
  if (!*row) return std::optional<std::int64_t>{};
  return std::optional<std::int64_t>{select->integer(0)};
}

Result<std::string> Catalog::host_name(std::int64_t host) {
  auto select = database_->prepare("SELECT name FROM host WHERE id=?1");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, host);
  const auto row = select->step();
  if (!row) return tl::unexpected<Error>(row.error());
  return *row ? std::string(select->text(0)) : std::string();
}

template <typename Wanted>
void Catalog::add_unsealed(std::uint32_t object, std::vector<InstanceRecord>& found,
                           const Wanted& wanted) const {
  std::unordered_set<std::uint32_t> there;
  for (const InstanceRecord& instance : found) there.insert(instance.id);
  for (std::size_t i = 0; i < arrivals_.size(); ++i) {
    const Arrival& arrival = arrivals_[i];
    if (arrival.object != object || arrival.is_clock || !wanted(std::string_view(arrival.name))) continue;
    if (!there.insert(arrival.instance).second) continue;
    found.push_back(InstanceRecord{arrival.instance, arrival.name,
                                   arrival.from_zero ? arrival.first_ms : arrival_times_[i],
                                   std::numeric_limits<std::int64_t>::max(), arrival.from_zero});
  }
}

std::int64_t Catalog::end_bound(query::TimeRange range) const {
  return std::min(range.from_ms, last_sealed_ms_ - kSlackMs);
}

Result<std::vector<InstanceRecord>> Catalog::exact(std::int64_t host, std::uint32_t object,
                                                   std::string_view name) {
  auto select = database_->prepare(std::string(kColumns) +
                                   "WHERE object=?1 AND role=0 AND name=?2 AND host=?3 ORDER BY id");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, std::int64_t{object}).bind(2, name).bind(3, host);
  auto found = read_instances(*select);
  if (found) add_unsealed(object, *found, [&](std::string_view other) { return other == name; });
  return found;
}

Result<std::vector<InstanceRecord>> Catalog::group(std::int64_t host, std::uint32_t object,
                                                   std::string_view name, query::TimeRange range) {
  auto select = database_->prepare(std::string(kColumns) +
                                   "WHERE object=?1 AND role=0 AND name>=?2 AND name<?3 AND host=?4 "
                                   "AND last_ms>=?5 AND first_ms<?6 ORDER BY id");
  if (!select) return tl::unexpected<Error>(select.error());
  const std::string from = std::string(name) + ":";
  const std::string to = std::string(name) + ";";  // the character after the colon
  select->bind(1, std::int64_t{object})
      .bind(2, std::string_view(from))
      .bind(3, std::string_view(to))
      .bind(4, host)
      .bind(5, end_bound(range))
      .bind(6, range.to_ms);
  auto found = read_instances(*select);
  if (!found) return found;
  std::erase_if(*found,
                [&](const InstanceRecord& instance) { return query::group_of(instance.name) != name; });
  add_unsealed(object, *found, [&](std::string_view other) { return query::group_of(other) == name; });
  return found;
}

Result<std::vector<InstanceRecord>> Catalog::alive(std::int64_t host, std::uint32_t object,
                                                   query::TimeRange range) {
  auto select = database_->prepare(
      std::string(kColumns) +
      "WHERE object=?1 AND last_ms>=?2 AND first_ms<?3 AND role=0 AND host=?4 ORDER BY id");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, std::int64_t{object}).bind(2, end_bound(range)).bind(3, range.to_ms).bind(4, host);
  auto found = read_instances(*select);
  if (found) add_unsealed(object, *found, [](std::string_view) { return true; });
  return found;
}

Result<std::vector<std::uint32_t>> Catalog::clocks(std::int64_t host, std::uint32_t object) {
  auto select =
      database_->prepare("SELECT id FROM instance WHERE object=?1 AND role=1 AND name='' AND host=?2");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, std::int64_t{object}).bind(2, host);
  std::vector<std::uint32_t> clocks;
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) break;
    clocks.push_back(static_cast<std::uint32_t>(select->integer(0)));
  }
  for (const Arrival& arrival : arrivals_) {
    const bool is_known = std::ranges::find(clocks, arrival.instance) != clocks.end();
    if (arrival.object == object && arrival.is_clock && !is_known) clocks.push_back(arrival.instance);
  }
  return clocks;
}

bool Catalog::may_be_alive(std::int64_t last_ms) const { return last_ms >= last_sealed_ms_ - kSlackMs; }

}  // namespace countertop::history
