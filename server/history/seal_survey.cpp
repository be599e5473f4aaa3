#include "server/history/seal_survey.hpp"

#include <algorithm>
#include <optional>

#include "server/history/arrivals.hpp"
#include "server/history/bytes.hpp"
#include "server/history/definition_json.hpp"
#include "server/history/layout.hpp"

namespace countertop::history {

namespace {

/// A window is sealed this long after its end: late collectors still belong to it.
constexpr std::int64_t kGraceMs = 10'000;

/// Follows one object through the ticks; knows the place of each instance while the list stays the same.
class ObjectSurvey {
 public:
  ObjectSurvey(SurveyObject& object, bool keeps_values) : object_(object), keeps_values_(keeps_values) {}

  void add(const TickRecord& record) {
    if (!std::ranges::equal(record.instances, layout_)) place(record);
    const std::int64_t before_ms = object_.times.empty() ? record.time.wall_ms : object_.times.back().wall_ms;
    object_.times.push_back(record.time);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      SurveyInstance& instance = object_.instances[places_[i]];
      const auto values = record.values.subspan(i * record.fields, record.fields);
      if (instance.rows == 0) {
        instance.first_ms = record.time.wall_ms;
        instance.born_ms = before_ms;
        if (keeps_values_) instance.first.assign(values.begin(), values.end());
      }
      ++instance.rows;
      instance.last_ms = record.time.wall_ms;
      if (keeps_values_) instance.last.assign(values.begin(), values.end());
    }
  }

  void finish() {
    for (const std::size_t place : places_) object_.instances[place].alive_at_end = true;
  }

 private:
  void place(const TickRecord& record) {
    layout_.assign(record.instances.begin(), record.instances.end());
    places_.clear();
    for (const std::uint32_t id : layout_) {
      const auto [found, is_new] = index_.try_emplace(id, object_.instances.size());
      if (is_new) object_.instances.emplace_back().id = id;
      places_.push_back(found->second);
    }
  }

  SurveyObject& object_;
  bool keeps_values_;
  std::vector<std::uint32_t> layout_;
  std::vector<std::size_t> places_;
  std::unordered_map<std::uint32_t, std::size_t> index_;
};

Result<std::map<std::uint32_t, ObjectHandle>> read_definitions(Database& database) {
  auto select = database.prepare("SELECT id, definition FROM object");
  if (!select) return tl::unexpected<Error>(select.error());
  std::map<std::uint32_t, ObjectHandle> definitions;
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return definitions;
    auto definition = definition_from_json(select->text(1));
    if (definition)
      definitions.emplace(static_cast<std::uint32_t>(select->integer(0)), std::move(*definition));
  }
}

std::int64_t sum_of(const std::vector<Term>& terms, std::span<const std::int64_t> values) {
  std::int64_t sum = 0;
  for (const Term& term : terms) {
    if (term.field >= values.size() || values[term.field] == kNoValue) continue;
    sum = term.sign < 0 ? wrapping_subtract(sum, values[term.field]) : wrapping_add(sum, values[term.field]);
  }
  return sum;
}

}  // namespace

bool SealGroup::contains(const TickHead& head) const {
  return head.segment == segment && window_of(head.wall_ms) == window;
}

Result<std::optional<SealGroup>> find_closed_group(Database& database, std::int64_t now_ms) {
  auto oldest = database.prepare("SELECT host, segment, wall_ms FROM tick ORDER BY id LIMIT 1");
  if (!oldest) return tl::unexpected<Error>(oldest.error());
  const auto row = oldest->step();
  if (!row) return tl::unexpected<Error>(row.error());
  if (!*row) return std::optional<SealGroup>{};
  SealGroup group;
  group.host = oldest->integer(0);
  group.segment = oldest->integer(1);
  group.window = window_of(oldest->integer(2));
  oldest->reset();
  auto newest = database.prepare("SELECT segment, wall_ms FROM tick WHERE host=?1 ORDER BY id DESC LIMIT 1");
  if (!newest) return tl::unexpected<Error>(newest.error());
  newest->bind(1, group.host);
  const auto last = newest->step();
  if (!last) return tl::unexpected<Error>(last.error());
  if (!*last) return std::optional<SealGroup>{};
  const std::int64_t closed_ms = (group.window + 1) * kWindowMs + kGraceMs;
  // By the ticks' own clock where that is ahead: an import, or a clock that was put back.
  if (newest->integer(0) == group.segment && now_ms < closed_ms && newest->integer(1) < closed_ms)
    return std::optional<SealGroup>{};
  newest->reset();
  auto heads = read_tick_heads(database, group.host);
  if (!heads) return tl::unexpected<Error>(heads.error());
  group.heads = std::move(*heads);
  for (std::size_t i = 0; i < group.heads.size(); ++i) {
    if (!group.contains(group.heads[i])) continue;
    group.last = i;
    ++group.ticks;
  }
  return std::optional<SealGroup>{std::move(group)};
}

Result<std::map<std::uint32_t, SurveyObject>> survey(Database& database, const SealGroup& group) {
  const auto definitions = read_definitions(database);
  if (!definitions) return tl::unexpected<Error>(definitions.error());
  std::map<std::uint32_t, SurveyObject> objects;
  std::map<std::uint32_t, ObjectSurvey> surveys;
  const auto visit = [&](const TickHead& head, const TickRecord& record) {
    if (!group.contains(head)) return;
    auto found = surveys.find(record.object);
    if (found == surveys.end()) {
      SurveyObject& object = objects[record.object];
      object.id = record.object;
      object.fields = record.fields;
      const auto definition = definitions->find(record.object);
      if (definition != definitions->end()) object.definition = definition->second;
      const bool keeps_values = object.definition != nullptr && object.definition->notable.has_value();
      found = surveys.try_emplace(record.object, object, keeps_values).first;
    }
    if (record.fields == objects[record.object].fields) found->second.add(record);
  };
  const auto replayed = replay_ticks(database, group.heads, group.first, group.last, {}, visit,
                                     [](const TickHead&, const Error&) {});
  if (!replayed) return tl::unexpected<Error>(replayed.error());
  for (auto& [id, one] : surveys) one.finish();
  return objects;
}

Result<std::unordered_map<std::uint32_t, Newcomer>> read_newcomers(Database& database, std::int64_t host) {
  auto select =
      database.prepare("SELECT arrivals FROM tick WHERE host=?1 AND arrivals IS NOT NULL ORDER BY id");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, host);
  std::unordered_map<std::uint32_t, Newcomer> newcomers;
  std::vector<Arrival> arrivals;
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return newcomers;
    arrivals.clear();
    (void)read_arrivals(select->blob(0), arrivals);  // what comes before the damage is used
    for (Arrival& arrival : arrivals)
      newcomers.try_emplace(arrival.instance, Newcomer{std::move(arrival.name), arrival.object,
                                                       arrival.is_clock, arrival.from_zero});
  }
}

std::int64_t work_done(const NotableRule& rule, const SurveyInstance& instance, bool from_zero) {
  const std::int64_t last = sum_of(rule.work, instance.last);
  return from_zero ? last : wrapping_subtract(last, sum_of(rule.work, instance.first));
}

}  // namespace countertop::history
