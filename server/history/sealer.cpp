#include "server/history/sealer.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "server/history/clock_codec.hpp"
#include "server/history/layout.hpp"
#include "server/history/run_log.hpp"
#include "server/history/seal_batch.hpp"
#include "server/history/seal_survey.hpp"

namespace countertop::history {

namespace {

/// Rows of plain tables written in one transaction: some milliseconds.
constexpr std::size_t kRowsPerSlice = 2000;

/// JSON array: growth since birth for fields that only grow, the last value for the others.
std::string totals_json(const SurveyObject& object, const SurveyInstance& instance, bool from_zero) {
  std::string json = "[";
  for (std::size_t field = 0; field < instance.last.size(); ++field) {
    if (field != 0) json += ',';
    const std::int64_t last = instance.last[field];
    const std::int64_t first = from_zero ? 0 : instance.first[field];
    if (last == kNoValue || first == kNoValue)
      json += "null";
    else if (object.definition->fields[field].backward == Backward::gauge)
      json += std::to_string(last);
    else
      json += std::to_string(wrapping_subtract(last, first));
  }
  return json + "]";
}

}  // namespace

class SealJob {
 public:
  SealJob(Database& database, SealGroup group) : database_(database), group_(std::move(group)) {}

  Result<void> prepare();
  /// False: the job is done.
  Result<bool> step();

 private:
  enum class Phase : std::uint8_t { clocks, chunks, briefs, instances, finish };
  struct Brief {
    const SurveyObject* object;
    const SurveyInstance* instance;
  };

  Result<void> choose_part();
  Result<void> sort_out();
  Result<bool> is_known(std::uint32_t id);
  [[nodiscard]] bool deserves_history(const SurveyObject& object, const SurveyInstance& instance) const;
  Result<void> write_clocks();
  Result<void> write_chunks();
  Result<void> write_briefs();
  Result<void> write_instances();
  Result<void> finish();
  Result<void> insert_chunk(std::uint32_t instance, ByteView blob);
  Result<void> insert_instance(const SurveyObject& object, std::uint32_t id, bool is_clock,
                               std::int64_t first_ms, std::int64_t last_ms);
  [[nodiscard]] std::int64_t first_id() const { return pack_id(group_.window, part_, 0); }
  [[nodiscard]] std::int64_t last_id() const { return pack_id(group_.window, part_, kMaxInstance); }

  Database& database_;
  SealGroup group_;
  std::int64_t part_ = 0;
  bool is_overfull_ = false;  // more parts than a window has numbers for
  Phase phase_ = Phase::clocks;
  std::map<std::uint32_t, SurveyObject> objects_;
  std::unordered_map<std::uint32_t, Newcomer> newcomers_;
  std::unordered_map<std::uint32_t, std::uint32_t> clock_ids_;  // by object
  std::vector<BatchItem> kept_;
  std::vector<Brief> briefs_;
  std::size_t next_ = 0;  // of the list that the phase works on
  std::int64_t first_ms_ = 0, last_ms_ = 0;
  SealBatch batch_;
  Statement insert_chunk_, find_instance_, insert_instance_, update_instance_;
};

Result<void> SealJob::prepare() {
  const std::pair<Statement*, const char*> statements[] = {
      {&insert_chunk_, "INSERT OR REPLACE INTO chunk(id, v) VALUES(?1, ?2)"},
      {&find_instance_, "SELECT 1 FROM instance WHERE id=?1"},
      {&insert_instance_,
       "INSERT OR IGNORE INTO instance(id, host, object, role, name, first_ms, last_ms, from_zero) "
       "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"},
      {&update_instance_,
       "UPDATE instance SET last_ms=max(last_ms, ?2), first_ms=min(first_ms, ?3) "
       "WHERE id=?1 AND (last_ms<?2 OR first_ms>?3)"}};
  for (const auto& [statement, sql] : statements) {
    auto prepared = database_.prepare(sql);
    if (!prepared) return tl::unexpected<Error>(prepared.error());
    *statement = std::move(*prepared);
  }
  {
    const auto transaction = Transaction::begin(database_, Transaction::Kind::read);
    if (!transaction) return tl::unexpected<Error>(transaction.error());
    auto objects = survey(database_, group_);
    if (!objects) return tl::unexpected<Error>(objects.error());
    objects_ = std::move(*objects);
    auto newcomers = read_newcomers(database_, group_.host);
    if (!newcomers) return tl::unexpected<Error>(newcomers.error());
    newcomers_ = std::move(*newcomers);
    if (const auto sorted = sort_out(); !sorted) return sorted;
  }
  return choose_part();
}

Result<void> SealJob::choose_part() {
  auto select = database_.prepare("SELECT max(part) FROM part WHERE host=?1 AND window=?2");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, group_.host).bind(2, group_.window);
  const auto row = select->step();
  if (!row) return tl::unexpected<Error>(row.error());
  part_ = *row && !select->is_null(0) ? select->integer(0) + 1 : 0;
  select->reset();
  is_overfull_ = part_ > kMaxPart;
  if (is_overfull_) {
    phase_ = Phase::finish;
    return {};
  }
  // What an interrupted attempt left.
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  for (const char* sql : {"DELETE FROM chunk WHERE id BETWEEN ?1 AND ?2",
                          "DELETE FROM brief_instance WHERE id BETWEEN ?1 AND ?2"}) {
    auto remove = database_.prepare(sql);
    if (!remove) return tl::unexpected<Error>(remove.error());
    remove->bind(1, first_id()).bind(2, last_id());
    if (const auto removed = remove->run(); !removed) return removed;
  }
  return transaction->commit();
}

Result<bool> SealJob::is_known(std::uint32_t id) {
  find_instance_.bind(1, std::int64_t{id});
  const auto row = find_instance_.step();
  if (row && *row) find_instance_.reset();
  return row;
}

bool SealJob::deserves_history(const SurveyObject& object, const SurveyInstance& instance) const {
  if (object.definition == nullptr || !object.definition->notable || instance.alive_at_end) return true;
  const NotableRule& rule = *object.definition->notable;
  const auto newcomer = newcomers_.find(instance.id);
  const bool from_zero = newcomer != newcomers_.end() && newcomer->second.from_zero;
  return instance.rows >= rule.min_ticks || work_done(rule, instance, from_zero) >= rule.min_work;
}

Result<void> SealJob::sort_out() {
  for (const auto& [id, newcomer] : newcomers_) {
    if (newcomer.is_clock) clock_ids_[newcomer.object] = id;
  }
  first_ms_ = group_.heads[group_.first].wall_ms;
  last_ms_ = group_.heads[group_.last].wall_ms;
  bool is_first = true;
  for (auto& [id, object] : objects_) {
    if (object.times.empty()) continue;
    first_ms_ = is_first ? object.times.front().wall_ms : std::min(first_ms_, object.times.front().wall_ms);
    last_ms_ = is_first ? object.times.back().wall_ms : std::max(last_ms_, object.times.back().wall_ms);
    is_first = false;
    if (!clock_ids_.contains(id)) {
      auto select =
          database_.prepare("SELECT id FROM instance WHERE object=?1 AND role=1 AND name='' AND host=?2");
      if (!select) return tl::unexpected<Error>(select.error());
      select->bind(1, std::int64_t{id}).bind(2, group_.host);
      const auto row = select->step();
      if (!row) return tl::unexpected<Error>(row.error());
      if (!*row) continue;  // its arrival is damaged: the object's rows have no times and go
      clock_ids_[id] = static_cast<std::uint32_t>(select->integer(0));
    }
    for (SurveyInstance& instance : object.instances) {
      const auto known = is_known(instance.id);
      if (!known) return tl::unexpected<Error>(known.error());
      if (*known || deserves_history(object, instance))
        kept_.push_back(BatchItem{&object, &instance});
      else
        briefs_.push_back(Brief{&object, &instance});
    }
  }
  return {};
}

Result<void> SealJob::insert_chunk(std::uint32_t instance, ByteView blob) {
  insert_chunk_.bind(1, pack_id(group_.window, part_, instance)).bind_blob(2, blob);
  return insert_chunk_.run();
}

Result<void> SealJob::write_clocks() {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  // The object with the most rows stands alone; the others are written as differences to it where that is
  // shorter.
  const SurveyObject* longest = nullptr;
  for (const auto& [id, object] : objects_) {
    if (clock_ids_.contains(id) && (longest == nullptr || object.times.size() > longest->times.size()))
      longest = &object;
  }
  ClockEncoder encoder;
  for (const auto& [id, object] : objects_) {
    const auto clock = clock_ids_.find(id);
    if (clock == clock_ids_.end()) continue;
    const ClockReference reference{clock_ids_.at(longest->id), longest->times};
    const auto blob = encoder.encode(object.times, &object == longest ? nullptr : &reference);
    if (!blob) continue;  // beyond a stated limit: must not keep all others from being sealed
    if (const auto inserted = insert_chunk(clock->second, *blob); !inserted) return inserted;
  }
  return transaction->commit();
}

Result<void> SealJob::write_chunks() {
  std::size_t end = next_;
  std::size_t values = 0;
  while (end < kept_.size()) {
    const std::size_t more = kept_[end].instance->rows * kept_[end].object->fields;
    if (end > next_ && values + more > kMaxBatchValues) break;
    values += more;
    ++end;
  }
  const auto chunks = batch_.encode(database_, group_, std::span(kept_).subspan(next_, end - next_));
  if (!chunks) return tl::unexpected<Error>(chunks.error());
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  for (const EncodedChunk& chunk : *chunks) {
    if (const auto inserted = insert_chunk(chunk.instance, chunk.blob); !inserted) return inserted;
  }
  next_ = end;
  return transaction->commit();
}

Result<void> SealJob::write_briefs() {
  auto insert = database_.prepare(
      "INSERT OR REPLACE INTO brief_instance(id, host, object, name, born_ms, first_ms, last_ms, ticks, "
      "totals) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
  if (!insert) return tl::unexpected<Error>(insert.error());
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  const std::size_t end = std::min(next_ + kRowsPerSlice, briefs_.size());
  for (; next_ < end; ++next_) {
    const auto& [object, instance] = briefs_[next_];
    const auto newcomer = newcomers_.find(instance->id);
    if (newcomer == newcomers_.end()) continue;  // nobody knows its name
    const bool from_zero = newcomer->second.from_zero;
    const std::string totals = totals_json(*object, *instance, from_zero);
    insert->bind(1, first_id() + static_cast<std::int64_t>(next_))
        .bind(2, group_.host)
        .bind(3, std::int64_t{object->id})
        .bind(4, std::string_view(newcomer->second.name))
        .bind(5, from_zero ? instance->born_ms : instance->first_ms)
        .bind(6, instance->first_ms)
        .bind(7, instance->last_ms)
        .bind(8, static_cast<std::int64_t>(instance->rows))
        .bind(9, std::string_view(totals));
    if (const auto inserted = insert->run(); !inserted) return inserted;
  }
  return transaction->commit();
}

Result<void> SealJob::insert_instance(const SurveyObject& object, std::uint32_t id, bool is_clock,
                                      std::int64_t first_ms, std::int64_t last_ms) {
  const auto newcomer = newcomers_.find(id);
  const bool is_named = newcomer != newcomers_.end();
  const bool has_one_instance = object.definition != nullptr && !object.definition->instanced;
  const std::string name = is_named                       ? newcomer->second.name
                           : is_clock || has_one_instance ? std::string()
                                                          : "unnamed " + std::to_string(id);
  insert_instance_.bind(1, std::int64_t{id})
      .bind(2, group_.host)
      .bind(3, std::int64_t{object.id})
      .bind(4, std::int64_t{is_clock ? kRoleClock : kRoleData})
      .bind(5, std::string_view(name))
      .bind(6, first_ms)
      .bind(7, last_ms)
      .bind(8, std::int64_t{is_named && newcomer->second.from_zero ? 1 : 0});
  if (const auto inserted = insert_instance_.run(); !inserted) return inserted;
  update_instance_.bind(1, std::int64_t{id}).bind(2, last_ms).bind(3, first_ms);
  return update_instance_.run();
}

Result<void> SealJob::write_instances() {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  if (next_ == 0) {
    for (const auto& [id, object] : objects_) {
      const auto clock = clock_ids_.find(id);
      if (clock == clock_ids_.end() || object.times.empty()) continue;
      const auto inserted = insert_instance(object, clock->second, true, object.times.front().wall_ms,
                                            object.times.back().wall_ms);
      if (!inserted) return inserted;
    }
  }
  const std::size_t end = std::min(next_ + kRowsPerSlice, kept_.size());
  for (std::size_t i = next_; i < end; ++i) {
    const SurveyInstance& instance = *kept_[i].instance;
    const auto inserted =
        insert_instance(*kept_[i].object, instance.id, false, instance.first_ms, instance.last_ms);
    if (!inserted) return inserted;
  }
  if (const auto committed = transaction->commit(); !committed) return committed;
  next_ = end;
  return {};
}

Result<void> SealJob::finish() {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  if (is_overfull_) {
    const auto marked = insert_mark(database_, group_.host,
                                    Mark{group_.heads[group_.first].wall_ms, MarkKind::dropped,
                                         "Too many restarts within 20 minutes: their samples were let go.",
                                         group_.heads[group_.last].wall_ms + 1});
    if (!marked) return tl::unexpected<Error>(marked.error());
  } else {
    auto insert = database_.prepare(
        "INSERT INTO part(host, window, part, segment, first_ms, last_ms, ticks) VALUES(?1, ?2, ?3, ?4, ?5, "
        "?6, ?7)");
    if (!insert) return tl::unexpected<Error>(insert.error());
    insert->bind(1, group_.host)
        .bind(2, group_.window)
        .bind(3, part_)
        .bind(4, group_.segment)
        .bind(5, first_ms_)
        .bind(6, last_ms_)
        .bind(7, static_cast<std::int64_t>(group_.ticks));
    if (const auto inserted = insert->run(); !inserted) return inserted;
  }
  auto remove = database_.prepare("DELETE FROM tick WHERE id=?1");
  if (!remove) return tl::unexpected<Error>(remove.error());
  for (std::size_t i = group_.first; i <= group_.last; ++i) {
    if (!group_.contains(group_.heads[i])) continue;
    remove->bind(1, group_.heads[i].id);
    if (const auto removed = remove->run(); !removed) return removed;
  }
  return transaction->commit();
}

Result<bool> SealJob::step() {
  const auto then = [&](const Result<void>& done, bool is_last, Phase next) -> Result<bool> {
    if (!done) return tl::unexpected<Error>(done.error());
    if (is_last) {
      phase_ = next;
      next_ = 0;
    }
    return true;
  };
  switch (phase_) {
    case Phase::clocks: {
      const auto done = write_clocks();
      return then(done, true, kept_.empty() ? Phase::briefs : Phase::chunks);
    }
    case Phase::chunks: {
      const auto done = write_chunks();
      return then(done, next_ >= kept_.size(), Phase::briefs);
    }
    case Phase::briefs: {
      const auto done = write_briefs();
      return then(done, next_ >= briefs_.size(), Phase::instances);
    }
    case Phase::instances: {
      const auto done = write_instances();
      return then(done, next_ >= kept_.size(), Phase::finish);
    }
    case Phase::finish:
      break;
  }
  if (const auto done = finish(); !done) return tl::unexpected<Error>(done.error());
  return false;
}

Sealer::Sealer(Database& database) : database_(database) {}
Sealer::~Sealer() = default;

Result<bool> Sealer::step(std::int64_t now_ms) {
  if (job_ == nullptr) {
    auto group = find_closed_group(database_, now_ms);
    if (!group) return tl::unexpected<Error>(group.error());
    if (!group->has_value()) return false;
    auto job = std::make_unique<SealJob>(database_, std::move(**group));
    if (const auto prepared = job->prepare(); !prepared) return tl::unexpected<Error>(prepared.error());
    job_ = std::move(job);
    return true;
  }
  const auto more = job_->step();
  if (!more || !*more) job_.reset();  // after a failure the next step begins anew
  if (!more) return more;
  return true;
}

}  // namespace countertop::history
