#include "server/history/dictionary.hpp"

#include <algorithm>
#include <unordered_set>

#include "server/history/definition_json.hpp"
#include "server/history/layout.hpp"

namespace countertop::history {

namespace {

/// A list of this many gone names is kept for devices that come back.
constexpr std::size_t kKeptGoneNames = 1000;
constexpr std::size_t kKeptHandles = 1000;

bool same_names(const std::vector<InstanceName>& a, const std::vector<InstanceName>& b) {
  return std::ranges::equal(a, b, {}, &InstanceName::name, &InstanceName::name);
}

}  // namespace

Result<void> Dictionary::load(Database& database, const std::string& host) {
  database_ = &database;
  by_definition_.clear();
  objects_.clear();
  unsealed_.clear();
  unsealed_clocks_.clear();
  auto find = database.prepare(
      "SELECT id FROM instance WHERE object=?1 AND role=?2 AND name=?3 AND host=?4 ORDER BY id DESC LIMIT 1");
  if (!find) return tl::unexpected<Error>(find.error());
  find_instance_ = std::move(*find);
  if (const auto loaded = load_host(host); !loaded) return loaded;
  const auto highest = database.integer("SELECT max(id) FROM instance");
  if (!highest) return tl::unexpected<Error>(highest.error());
  next_instance_ = highest->value_or(0) + 1;
  return load_unsealed();
}

Result<void> Dictionary::load_host(const std::string& host) {
  auto insert = database_->prepare("INSERT INTO host(name) VALUES(?1) ON CONFLICT(name) DO NOTHING");
  if (!insert) return tl::unexpected<Error>(insert.error());
  auto select = database_->prepare("SELECT id FROM host WHERE name=?1");
  if (!select) return tl::unexpected<Error>(select.error());
  for (int attempt = 0; attempt < 2; ++attempt) {
    select->bind(1, std::string_view(host));
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (*row) {
      host_id_ = select->integer(0);
      return {};
    }
    insert->bind(1, std::string_view(host));
    if (const auto inserted = insert->run(); !inserted) return inserted;
  }
  return fail(ErrorCode::internal, "the host has no row in the data file");
}

Result<void> Dictionary::load_unsealed() {
  auto select = database_->prepare("SELECT arrivals FROM tick WHERE arrivals IS NOT NULL ORDER BY id");
  if (!select) return tl::unexpected<Error>(select.error());
  std::vector<Arrival> arrivals;
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) break;
    // Damaged arrivals lose names of a window, not the run: what was read is used.
    (void)read_arrivals(select->blob(0), arrivals);
  }
  for (const Arrival& arrival : arrivals) {
    next_instance_ = std::max<std::int64_t>(next_instance_, std::int64_t{arrival.instance} + 1);
    if (arrival.is_clock)
      unsealed_clocks_[arrival.object] = arrival.instance;
    else
      unsealed_[arrival.object][arrival.name] = arrival.instance;
  }
  return {};
}

Result<std::uint32_t> Dictionary::object_id(const ObjectDefinition& definition, std::int64_t now_ms) {
  const std::string json = definition_to_json(definition);
  auto find = database_->prepare("SELECT id FROM object WHERE name=?1 AND definition=?2");
  if (!find) return tl::unexpected<Error>(find.error());
  find->bind(1, std::string_view(definition.name)).bind(2, std::string_view(json));
  const auto row = find->step();
  if (!row) return tl::unexpected<Error>(row.error());
  if (*row) return static_cast<std::uint32_t>(find->integer(0));
  auto insert = database_->prepare("INSERT INTO object(name, definition, first_ms) VALUES(?1, ?2, ?3)");
  if (!insert) return tl::unexpected<Error>(insert.error());
  insert->bind(1, std::string_view(definition.name)).bind(2, std::string_view(json)).bind(3, now_ms);
  if (const auto inserted = insert->run(); !inserted) return tl::unexpected<Error>(inserted.error());
  return static_cast<std::uint32_t>(database_->last_insert_id());
}

Result<ObjectEntry*> Dictionary::object_for(const ObjectHandle& definition, std::int64_t now_ms) {
  if (const auto found = by_definition_.find(definition); found != by_definition_.end()) return found->second;
  if (const std::string reason = why_invalid(*definition); !reason.empty())
    return fail(ErrorCode::invalid_argument, "object '" + definition->name + "' is not sound: " + reason);
  const auto id = object_id(*definition, now_ms);
  if (!id) return tl::unexpected<Error>(id.error());
  std::unique_ptr<ObjectEntry>& entry = objects_[*id];
  if (entry == nullptr) {
    entry = std::make_unique<ObjectEntry>();
    entry->id = *id;
    entry->definition = definition;
    if (const auto unsealed = unsealed_.find(*id); unsealed != unsealed_.end())
      entry->known = std::move(unsealed->second);
  }
  // A collector that describes its objects anew each time must not make this grow.
  if (by_definition_.size() >= kKeptHandles) by_definition_.clear();
  by_definition_.emplace(definition, entry.get());
  return entry.get();
}

Result<std::uint32_t> Dictionary::number_for(ObjectEntry& entry, const InstanceName& instance,
                                             bool is_clock) {
  // A process that was just born was never stored: no need to ask.
  const bool is_new = instance.counts_from_zero && entry.definition->notable.has_value();
  if (!is_new) {
    find_instance_.bind(1, std::int64_t{entry.id})
        .bind(2, std::int64_t{is_clock ? kRoleClock : kRoleData})
        .bind(3, std::string_view(instance.name))
        .bind(4, host_id_);
    const auto row = find_instance_.step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (*row) {
      const auto id = static_cast<std::uint32_t>(find_instance_.integer(0));
      find_instance_.reset();
      return id;
    }
  }
  if (next_instance_ > kMaxInstance)
    return fail(ErrorCode::too_large, "the data file has run out of instance numbers",
                "Move the data directory away; a new one starts from the beginning.");
  return static_cast<std::uint32_t>(next_instance_++);
}

Result<void> Dictionary::identify(ObjectEntry& entry, const std::vector<InstanceName>& names,
                                  std::int64_t wall_ms, std::vector<Arrival>& arrivals) {
  if (entry.clock_instance == 0) {
    const auto unsealed = unsealed_clocks_.find(entry.id);
    const auto id = unsealed != unsealed_clocks_.end() ? Result<std::uint32_t>(unsealed->second)
                                                       : number_for(entry, InstanceName{}, true);
    if (!id) return tl::unexpected<Error>(id.error());
    entry.clock_instance = *id;
    arrivals.push_back(Arrival{*id, entry.id, true, false, {}, 0});
  }
  if (same_names(names, entry.names) && entry.ids.size() == names.size()) return {};

  const std::unordered_set<std::uint32_t> before(entry.ids.begin(), entry.ids.end());
  std::unordered_set<std::uint32_t> used;
  std::vector<std::uint32_t> ids;
  std::vector<Arrival> added;
  ids.reserve(names.size());
  for (const InstanceName& instance : names) {
    auto known = entry.known.find(instance.name);
    if (known == entry.known.end()) {
      const auto id = number_for(entry, instance, false);
      if (!id) return tl::unexpected<Error>(id.error());
      known = entry.known.emplace(instance.name, *id).first;
    }
    if (!used.insert(known->second).second)
      return fail(ErrorCode::invalid_argument, "a snapshot of '" + entry.definition->name +
                                                   "' has the instance '" + instance.name + "' twice");
    ids.push_back(known->second);
    if (!before.contains(known->second))
      added.push_back(
          Arrival{known->second, entry.id, false, instance.counts_from_zero, instance.name, wall_ms});
  }
  entry.names = names;
  entry.ids = std::move(ids);
  arrivals.insert(arrivals.end(), std::make_move_iterator(added.begin()),
                  std::make_move_iterator(added.end()));
  return {};
}

void Dictionary::forget_gone() {
  unsealed_.clear();
  for (auto& [id, kept] : objects_) {
    ObjectEntry& entry = *kept;
    if (entry.known.size() <= entry.names.size() + kKeptGoneNames) continue;
    std::unordered_map<std::string, std::uint32_t> alive;
    for (std::size_t i = 0; i < entry.names.size(); ++i) alive.emplace(entry.names[i].name, entry.ids[i]);
    entry.known = std::move(alive);
  }
}

}  // namespace countertop::history
