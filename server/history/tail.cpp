#include "server/history/tail.hpp"

#include <algorithm>

namespace countertop::history {

namespace {

/// Collects rows of one object; knows the place of each wanted instance while the list stays the same.
class Collector {
 public:
  explicit Collector(const ObjectPlan& plan) : plan_(&plan) {
    for (const InstancePlan& instance : plan.instances) wanted_.emplace(instance.id, 0);
  }

  void begin_segment(TailObject& target) {
    target_ = &target;
    places_.clear();
    layout_.clear();
  }

  void add(const TickRecord& record) {
    if (record.fields != plan_->definition->fields.size()) return;
    if (!std::ranges::equal(record.instances, layout_) || places_.empty()) place(record);
    const auto row = static_cast<std::uint32_t>(target_->times.size());
    target_->times.push_back(record.time);
    for (const Place& place : places_) {
      InstanceRows& rows = *place.rows;
      const std::int64_t* const values = record.values.data() + place.index * record.fields;
      for (const std::uint16_t field : plan_->fields) rows.columns[field].push_back(values[field]);
      if (!rows.runs.empty() && rows.runs.back().first_row + rows.runs.back().count == row)
        ++rows.runs.back().count;
      else
        rows.runs.push_back(PresenceRun{row, 1});
    }
  }

 private:
  struct Place {
    std::size_t index = 0;  // in the record
    InstanceRows* rows = nullptr;
  };

  void place(const TickRecord& record) {
    layout_.assign(record.instances.begin(), record.instances.end());
    places_.clear();
    for (std::size_t index = 0; index < layout_.size(); ++index) {
      if (!wanted_.contains(layout_[index])) continue;
      InstanceRows& rows = target_->instances[layout_[index]];
      rows.columns.resize(plan_->definition->fields.size());
      places_.push_back(Place{index, &rows});
    }
  }

  const ObjectPlan* plan_;
  std::unordered_map<std::uint32_t, int> wanted_;
  TailObject* target_ = nullptr;
  std::vector<std::uint32_t> layout_;
  std::vector<Place> places_;
};

}  // namespace

Result<std::vector<TickHead>> read_tick_heads(Database& database, std::int64_t host) {
  auto select = database.prepare("SELECT id, segment, wall_ms, is_key FROM tick WHERE host=?1 ORDER BY id");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, host);
  std::vector<TickHead> heads;
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return heads;
    heads.push_back(
        TickHead{select->integer(0), select->integer(1), select->integer(2), select->integer(3) != 0});
  }
}

Result<void> replay_ticks(Database& database, std::span<const TickHead> heads, std::size_t first,
                          std::size_t last, std::span<const std::uint32_t> objects, const TickVisitor& visit,
                          const TickDamage& damaged) {
  if (first >= heads.size() || first > last) return {};
  last = std::min(last, heads.size() - 1);
  while (first > 0 && !heads[first].is_key) --first;
  auto select = database.prepare("SELECT id, v FROM tick WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, heads[first].id).bind(2, heads[last].id);
  TickDecoder decoder;
  decoder.want(objects);
  bool needs_key = true;
  std::size_t index = first;
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return {};
    const std::int64_t id = select->integer(0);
    while (index <= last && heads[index].id < id) ++index;  // rows of other hosts lie between
    if (index > last || heads[index].id != id) continue;
    const TickHead& head = heads[index];
    if (needs_key && !head.is_key) continue;
    const auto replayed =
        decoder.replay(select->blob(1), [&](const TickRecord& record) { visit(head, record); });
    needs_key = !replayed;
    if (!replayed) damaged(head, replayed.error());
  }
}

Result<std::vector<TailSegment>> read_tail(Database& database, std::span<const TickHead> heads,
                                           std::span<const ObjectPlan> objects, query::TimeRange range,
                                           RowSink& sink) {
  std::vector<TailSegment> segments;
  // By walking over all heads, for the wall clock may have gone back between segments.
  std::size_t first = heads.size();
  std::size_t last = 0;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (heads[i].wall_ms < range.from_ms - kTailLeadMs || heads[i].wall_ms >= range.to_ms) continue;
    first = std::min(first, i);
    last = i;
  }
  if (first == heads.size()) return segments;

  std::vector<std::uint32_t> wanted;
  std::unordered_map<std::uint32_t, Collector> collectors;
  for (const ObjectPlan& object : objects) {
    wanted.push_back(object.id);
    collectors.emplace(object.id, Collector(object));
  }
  if (wanted.empty()) return segments;
  const auto visit = [&](const TickHead& head, const TickRecord& record) {
    const auto found = collectors.find(record.object);
    if (found == collectors.end()) return;
    if (segments.empty() || segments.back().segment != head.segment)
      segments.push_back(TailSegment{head.segment, {}});
    const auto [target, is_new] = segments.back().objects.try_emplace(record.object);
    if (is_new) found->second.begin_segment(target->second);
    found->second.add(record);
  };
  const auto damaged = [&](const TickHead& head, const Error& error) {
    sink.damaged(query::TimeRange{head.wall_ms, head.wall_ms + 1000}, error);
  };
  // TailSegment objects move when the vector grows; the maps' nodes, to which collectors point, stay.
  const auto replayed = replay_ticks(database, heads, first, last, wanted, visit, damaged);
  if (!replayed) return tl::unexpected<Error>(replayed.error());
  return segments;
}

}  // namespace countertop::history
