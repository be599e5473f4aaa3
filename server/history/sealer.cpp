#include "server/history/sealer.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "server/history/layout.hpp"

namespace countertop::history {

namespace {

/// What one batch holds decoded: 4 MB.
constexpr std::size_t kBatchValues = std::size_t{1} << 19;
/// A collector that is late may still bring a row of the window that just ended.
constexpr std::int64_t kCloseDelayMs = 5'000;
constexpr std::size_t kMaxProblems = 20;

/// Damage was already told by the survey.
class IgnoreRows final : public RowSink {
 public:
  void rows(const SeriesRows&) override {}
  void sampled(const ObjectPlan&, std::span<const TimeBase>) override {}
  void raw(std::size_t, const query::RawPoint&) override {}
  void damaged(query::TimeRange, const Error&) override {}
};

ObjectPlan plan_for(const SurveyedObject& object) {
  ObjectPlan plan;
  plan.id = object.id;
  plan.definition = object.definition;
  for (std::size_t field = 0; field < object.definition->fields.size(); ++field)
    plan.fields.push_back(static_cast<std::uint16_t>(field));
  return plan;
}

/// Growth of each field since birth, the last value of gauges; null where it could not be read.
std::string totals_json(const SurveyedObject& object, const SurveyedInstance& instance) {
  std::string json = "[";
  for (std::size_t field = 0; field < object.definition->fields.size(); ++field) {
    if (field > 0) json += ',';
    const std::int64_t last = instance.last_values[field];
    const std::int64_t first = instance.first_values[field];
    const bool is_gauge = object.definition->fields[field].backward == Backward::gauge;
    if (last == kNoValue || (!is_gauge && !instance.from_zero && first == kNoValue))
      json += "null";
    else
      json += std::to_string(is_gauge || instance.from_zero ? last : wrapping_subtract(last, first));
  }
  return json + "]";
}

}  // namespace

Result<bool> Sealer::step(std::int64_t now_ms) {
  if (!job_) return begin_job(now_ms);
  const Result<void> done = job_->done < job_->targets.size() ? seal_batch() : finish_job();
  if (done) return true;
  job_.reset();
  return tl::unexpected<Error>(done.error());
}

std::vector<std::string> Sealer::take_problems() { return std::exchange(problems_, {}); }

void Sealer::note_damage(const std::vector<Error>& damage) {
  for (const Error& error : damage) {
    if (problems_.size() < kMaxProblems) problems_.push_back("Stored data are damaged: " + error.message);
  }
}

/// The oldest stretch that will not grow any more: another one follows it, or its window is over.
Result<std::optional<SealStretch>> Sealer::find_closed(std::int64_t now_ms) {
  auto select = database_->prepare("SELECT DISTINCT host FROM tick ORDER BY host");
  if (!select) return tl::unexpected<Error>(select.error());
  std::vector<std::int64_t> hosts;
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) break;
    hosts.push_back(select->integer(0));
  }
  for (const std::int64_t host : hosts) {
    auto heads = read_tick_heads(*database_, host);
    if (!heads) return tl::unexpected<Error>(heads.error());
    if (heads->empty()) continue;
    const std::int64_t window = window_of(heads->front().wall_ms);
    const std::int64_t segment = heads->front().segment;
    const auto end = std::ranges::find_if(*heads, [&](const TickHead& head) {
      return head.segment != segment || window_of(head.wall_ms) != window;
    });
    if (end == heads->end() && now_ms < (window + 1) * kWindowMs + kCloseDelayMs) continue;
    heads->erase(end, heads->end());
    return SealStretch{host, window, segment, std::move(*heads)};
  }
  return std::optional<SealStretch>{};
}

Result<bool> Sealer::begin_job(std::int64_t now_ms) {
  auto transaction = Transaction::begin(*database_, Transaction::Kind::read);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  auto stretch = find_closed(now_ms);
  if (!stretch) return tl::unexpected<Error>(stretch.error());
  if (!*stretch) return false;
  auto surveyed = survey(*database_, **stretch);
  if (!surveyed) return tl::unexpected<Error>(surveyed.error());
  note_damage(surveyed->damage);

  auto select = database_->prepare("SELECT coalesce(max(part) + 1, 0) FROM part WHERE window=?1");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, (*stretch)->window);
  const auto row = select->step();
  if (!row) return tl::unexpected<Error>(row.error());
  Job job{std::move(**stretch), std::move(*surveyed), select->integer(0), {}, 0};
  select->reset();
  if (job.part > kMaxPart) {
    // More restarts in 20 minutes than ids have room for: the rest of the window is given up, and said so.
    problems_.push_back("A window was broken into more than 256 pieces; what came after them is lost.");
    job.part = kMaxPart;
    job.survey.objects.clear();
  }
  for (std::uint32_t object = 0; object < job.survey.objects.size(); ++object) {
    const std::uint32_t clock = job.survey.objects[object].clock_instance;
    if (clock == 0) continue;
    job.targets.push_back({object, clock, true});
    for (const auto& [id, instance] : job.survey.objects[object].instances) {
      if (instance.deserves_chunk && instance.has_name) job.targets.push_back({object, id, false});
    }
  }
  // Rows that come in the order of their ids fill SQLite's pages; in any other order a third stays empty.
  std::ranges::sort(job.targets, {}, &Target::instance);
  job_ = std::move(job);
  return true;
}

/// The next targets whose rows fit into a batch, as plans for reading their ticks.
std::vector<ObjectPlan> Sealer::plan_batch(std::size_t& end) const {
  std::map<std::uint32_t, ObjectPlan> plans;
  std::size_t values = 0;
  for (end = job_->done; end < job_->targets.size(); ++end) {
    const Target& target = job_->targets[end];
    if (target.is_clock) continue;
    const SurveyedObject& object = job_->survey.objects[target.object];
    values += std::size_t{object.instances.at(target.instance).rows} * object.definition->fields.size();
    if (values > kBatchValues && !plans.empty()) break;
    const auto [plan, is_new] = plans.try_emplace(object.id);
    if (is_new) plan->second = plan_for(object);
    InstancePlan instance;
    instance.id = target.instance;
    plan->second.instances.push_back(std::move(instance));
  }
  std::vector<ObjectPlan> batch;
  for (auto& [id, plan] : plans) batch.push_back(std::move(plan));
  return batch;
}

Result<void> Sealer::seal_batch() {
  Job& job = *job_;
  std::size_t end = job.done;
  const std::vector<ObjectPlan> plans = plan_batch(end);
  IgnoreRows ignore;
  const query::TimeRange everything{job.survey.first_ms - kWindowMs, job.survey.last_ms + kWindowMs};
  const auto segments = read_tail(*database_, job.stretch.heads, plans, everything, ignore);
  if (!segments) return tl::unexpected<Error>(segments.error());

  auto transaction = Transaction::begin(*database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  auto insert = database_->prepare("INSERT OR REPLACE INTO chunk(id, v) VALUES(?1, ?2)");
  if (!insert) return tl::unexpected<Error>(insert.error());
  for (; job.done < end; ++job.done) {
    const Target& target = job.targets[job.done];
    const auto blob = target.is_clock ? encode_clock(job.survey.objects[target.object])
                                      : encode_rows(*segments, job.survey.objects[target.object].id, target.instance);
    if (!blob) return tl::unexpected<Error>(blob.error());
    if (blob->empty()) continue;
    insert->bind(1, pack_id(job.stretch.window, job.part, target.instance)).bind_blob(2, *blob);
    if (const auto inserted = insert->run(); !inserted) return inserted;
  }
  return transaction->commit();
}

Result<ByteView> Sealer::encode_rows(const std::vector<TailSegment>& segments, std::uint32_t object,
                                     std::uint32_t instance) {
  for (const TailSegment& segment : segments) {
    const auto rows = segment.objects.find(object);
    if (rows == segment.objects.end()) continue;
    const auto decoded = rows->second.instances.find(instance);
    if (decoded == rows->second.instances.end()) continue;
    const auto& columns = decoded->second.columns;
    const std::vector<std::span<const std::int64_t>> views(columns.begin(), columns.end());
    return encoder_.encode(decoded->second.runs, views);
  }
  return ByteView{};
}

/// The first clock stands alone, the others are written against it.
Result<ByteView> Sealer::encode_clock(const SurveyedObject& object) {
  const auto first = std::ranges::find_if(job_->targets, &Target::is_clock);
  const SurveyedObject& reference = job_->survey.objects[first->object];
  if (&reference == &object) return clock_encoder_.encode(object.times);
  const ClockReference times{reference.clock_instance, reference.times};
  return clock_encoder_.encode(object.times, &times);
}

Result<void> Sealer::write_instances() {
  auto insert = database_->prepare(
      "INSERT INTO instance(id, host, object, role, name, first_ms, last_ms, from_zero) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT(id) DO UPDATE SET last_ms=max(last_ms, excluded.last_ms)");
  if (!insert) return tl::unexpected<Error>(insert.error());
  for (const SurveyedObject& object : job_->survey.objects) {
    if (object.clock_instance == 0) continue;
    const auto add = [&](std::uint32_t id, int role, std::string_view name, std::int64_t first_ms, std::int64_t last_ms,
                         bool from_zero) {
      insert->bind(1, std::int64_t{id}).bind(2, job_->stretch.host).bind(3, std::int64_t{object.id});
      insert->bind(4, std::int64_t{role}).bind(5, name).bind(6, first_ms).bind(7, last_ms);
      insert->bind(8, std::int64_t{from_zero ? 1 : 0});
      return insert->run();
    };
    if (const auto added = add(object.clock_instance, kRoleClock, "", object.times.front().wall_ms,
                               object.times.back().wall_ms, false);
        !added)
      return added;
    for (const auto& [id, instance] : object.instances) {
      if (!instance.deserves_chunk || !instance.has_name) continue;
      const auto added = add(id, kRoleData, instance.name, object.times[instance.first_row].wall_ms,
                             object.times[instance.last_row].wall_ms, instance.from_zero);
      if (!added) return added;
    }
  }
  return {};
}

Result<void> Sealer::write_brief() {
  auto insert = database_->prepare(
      "INSERT OR REPLACE INTO brief_instance(id, host, object, name, born_ms, first_ms, last_ms, ticks, totals) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
  if (!insert) return tl::unexpected<Error>(insert.error());
  std::int64_t number = 0;
  for (const SurveyedObject& object : job_->survey.objects) {
    for (const auto& [id, instance] : object.instances) {
      if (instance.deserves_chunk || !instance.has_name) continue;
      const std::int64_t first_ms = object.times[instance.first_row].wall_ms;
      const bool is_birth_known = instance.from_zero && instance.first_row > 0;
      const std::string totals = totals_json(object, instance);
      insert->bind(1, pack_id(job_->stretch.window, job_->part, ++number)).bind(2, job_->stretch.host);
      insert->bind(3, std::int64_t{object.id}).bind(4, std::string_view(instance.name));
      insert->bind(5, is_birth_known ? object.times[instance.first_row - 1].wall_ms : first_ms).bind(6, first_ms);
      insert->bind(7, object.times[instance.last_row].wall_ms).bind(8, std::int64_t{instance.rows});
      insert->bind(9, std::string_view(totals));
      if (const auto inserted = insert->run(); !inserted) return inserted;
    }
  }
  return {};
}

Result<void> Sealer::finish_job() {
  const SealStretch& stretch = job_->stretch;
  auto transaction = Transaction::begin(*database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  if (!job_->survey.objects.empty()) {
    if (const auto written = write_instances(); !written) return written;
    if (const auto written = write_brief(); !written) return written;
    auto insert = database_->prepare(
        "INSERT INTO part(host, window, part, segment, first_ms, last_ms, ticks) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    if (!insert) return tl::unexpected<Error>(insert.error());
    insert->bind(1, stretch.host).bind(2, stretch.window).bind(3, job_->part).bind(4, stretch.segment);
    insert->bind(5, job_->survey.first_ms).bind(6, job_->survey.last_ms);
    insert->bind(7, static_cast<std::int64_t>(stretch.heads.size()));
    if (const auto inserted = insert->run(); !inserted) return inserted;
  }
  auto remove = database_->prepare("DELETE FROM tick WHERE host=?1 AND id BETWEEN ?2 AND ?3");
  if (!remove) return tl::unexpected<Error>(remove.error());
  remove->bind(1, stretch.host).bind(2, stretch.heads.front().id).bind(3, stretch.heads.back().id);
  if (const auto removed = remove->run(); !removed) return removed;
  if (const auto committed = transaction->commit(); !committed) return committed;
  job_.reset();
  return {};
}

}  // namespace countertop::history
