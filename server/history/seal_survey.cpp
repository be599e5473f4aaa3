#include "server/history/seal_survey.hpp"

#include <algorithm>
#include <limits>

#include "server/history/arrivals.hpp"
#include "server/history/definition_json.hpp"
#include "server/history/layout.hpp"

namespace countertop::history {

namespace {

/// Counts rows while ticks are replayed; remembers where in `instances` each place of an object's list leads.
class Counting {
 public:
  explicit Counting(SurveyedObject& object) : object_(&object) {}

  void add(const TickRecord& record) {
    if (!std::ranges::equal(record.instances, layout_) || places_.empty()) place(record);
    const auto row = static_cast<std::uint32_t>(object_->times.size());
    object_->times.push_back(record.time);
    for (std::size_t index = 0; index < places_.size(); ++index) {
      SurveyedInstance& instance = *places_[index];
      const auto values = record.values.subspan(index * record.fields, record.fields);
      if (instance.rows == 0) {
        instance.first_row = row;
        if (keeps_values()) instance.first_values.assign(values.begin(), values.end());
      }
      instance.last_row = row;
      ++instance.rows;
      if (keeps_values()) instance.last_values.assign(values.begin(), values.end());
    }
  }

 private:
  [[nodiscard]] bool keeps_values() const { return object_->definition->notable.has_value(); }

  void place(const TickRecord& record) {
    layout_.assign(record.instances.begin(), record.instances.end());
    places_.clear();
    // Nodes of the map stay where they are when it grows.
    for (const std::uint32_t id : layout_) places_.push_back(&object_->instances[id]);
  }

  SurveyedObject* object_;
  std::vector<std::uint32_t> layout_;
  std::vector<SurveyedInstance*> places_;
};

std::int64_t work_of(const NotableRule& rule, std::span<const std::int64_t> values) {
  std::int64_t work = 0;
  for (const Term& term : rule.work) {
    if (term.field >= values.size() || values[term.field] == kNoValue) continue;
    work = wrapping_add(work, term.sign < 0 ? wrapping_subtract(0, values[term.field]) : values[term.field]);
  }
  return work;
}

bool is_notable(const SurveyedObject& object, const SurveyedInstance& instance) {
  if (!object.definition->notable) return true;
  const NotableRule& rule = *object.definition->notable;
  // One that has chunks goes on to have them, and whoever lives on into the next window will need them.
  if (instance.is_known || std::size_t{instance.last_row} + 1 == object.times.size()) return true;
  if (instance.rows >= rule.min_ticks) return true;
  const std::int64_t before = instance.from_zero ? 0 : work_of(rule, instance.first_values);
  return wrapping_subtract(work_of(rule, instance.last_values), before) >= rule.min_work;
}

Result<void> read_stretch_arrivals(Database& database, const SealStretch& stretch, SealSurvey& result,
                                   std::unordered_map<std::uint32_t, SurveyedObject*>& by_id) {
  auto select = database.prepare(
      "SELECT arrivals FROM tick WHERE host=?1 AND id<=?2 AND arrivals IS NOT NULL ORDER BY id");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, stretch.host).bind(2, stretch.heads.back().id);
  std::vector<Arrival> arrivals;
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) break;
    if (const auto read = read_arrivals(select->blob(0), arrivals); !read) result.damage.push_back(read.error());
  }
  for (const Arrival& arrival : arrivals) {
    const auto object = by_id.find(arrival.object);
    if (object == by_id.end()) continue;
    if (arrival.is_clock) {
      object->second->clock_instance = arrival.instance;
      continue;
    }
    const auto found = object->second->instances.find(arrival.instance);
    if (found == object->second->instances.end()) continue;
    found->second.name = arrival.name;
    found->second.has_name = true;
    found->second.from_zero = arrival.from_zero;
  }
  return {};
}

Result<void> read_known_instances(Database& database, const SealStretch& stretch, SealSurvey& result) {
  auto find = database.prepare("SELECT object FROM instance WHERE id=?1 AND role=?2");
  if (!find) return tl::unexpected<Error>(find.error());
  auto find_clock =
      database.prepare("SELECT id FROM instance WHERE object=?1 AND role=?2 AND name='' AND host=?3 ORDER BY id DESC LIMIT 1");
  if (!find_clock) return tl::unexpected<Error>(find_clock.error());
  for (SurveyedObject& object : result.objects) {
    for (auto& [id, instance] : object.instances) {
      find->bind(1, std::int64_t{id}).bind(2, std::int64_t{kRoleData});
      const auto row = find->step();
      if (!row) return tl::unexpected<Error>(row.error());
      if (!*row) continue;
      instance.is_known = find->integer(0) == std::int64_t{object.id};
      instance.has_name = instance.has_name || instance.is_known;
      find->reset();
    }
    if (object.clock_instance != 0) continue;
    find_clock->bind(1, std::int64_t{object.id}).bind(2, std::int64_t{kRoleClock}).bind(3, stretch.host);
    const auto row = find_clock->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (*row) object.clock_instance = static_cast<std::uint32_t>(find_clock->integer(0));
    find_clock->reset();
  }
  return {};
}

}  // namespace

Result<std::unordered_map<std::uint32_t, ObjectHandle>> read_definitions(Database& database,
                                                                         std::vector<Error>& damage) {
  auto select = database.prepare("SELECT id, definition FROM object");
  if (!select) return tl::unexpected<Error>(select.error());
  std::unordered_map<std::uint32_t, ObjectHandle> definitions;
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return definitions;
    auto definition = definition_from_json(select->text(1));
    if (definition)
      definitions.emplace(static_cast<std::uint32_t>(select->integer(0)), std::move(*definition));
    else
      damage.push_back(definition.error());
  }
}

Result<SealSurvey> survey(Database& database, const SealStretch& stretch) {
  SealSurvey result;
  const auto definitions = read_definitions(database, result.damage);
  if (!definitions) return tl::unexpected<Error>(definitions.error());

  std::unordered_map<std::uint32_t, std::unique_ptr<SurveyedObject>> objects;
  std::unordered_map<std::uint32_t, Counting> countings;
  const auto visit = [&](const TickHead&, const TickRecord& record) {
    const auto definition = definitions->find(record.object);
    if (definition == definitions->end() || definition->second->fields.size() != record.fields) return;
    auto& object = objects[record.object];
    if (object == nullptr) {
      object = std::make_unique<SurveyedObject>();
      object->id = record.object;
      object->definition = definition->second;
      countings.emplace(record.object, Counting(*object));
    }
    countings.at(record.object).add(record);
  };
  const auto damaged = [&](const TickHead&, const Error& error) { result.damage.push_back(error); };
  const auto replayed = replay_ticks(database, stretch.heads, 0, stretch.heads.size() - 1, {}, visit, damaged);
  if (!replayed) return tl::unexpected<Error>(replayed.error());

  result.first_ms = std::numeric_limits<std::int64_t>::max();
  for (auto& [id, object] : objects) {
    result.first_ms = std::min(result.first_ms, object->times.front().wall_ms);
    result.last_ms = std::max(result.last_ms, object->times.back().wall_ms);
    result.objects.push_back(std::move(*object));
  }
  std::ranges::sort(result.objects, {}, &SurveyedObject::id);
  std::unordered_map<std::uint32_t, SurveyedObject*> by_id;
  for (SurveyedObject& object : result.objects) by_id.emplace(object.id, &object);
  if (const auto read = read_stretch_arrivals(database, stretch, result, by_id); !read)
    return tl::unexpected<Error>(read.error());
  if (const auto read = read_known_instances(database, stretch, result); !read)
    return tl::unexpected<Error>(read.error());
  for (SurveyedObject& object : result.objects) {
    for (auto& [id, instance] : object.instances) instance.deserves_chunk = is_notable(object, instance);
  }
  return result;
}

}  // namespace countertop::history
