#include "server/history/roll_up.hpp"

#include <algorithm>
#include <limits>
#include <stop_token>
#include <string_view>
#include <utility>

#include "server/history/layout.hpp"
#include "server/history/seal_survey.hpp"
#include "server/history/series_scan.hpp"

namespace countertop::history {

namespace {

/// Instances that are rolled up together, sharing the decoding of their object's clock. Of one object.
constexpr std::size_t kBatchInstances = 6;
constexpr std::size_t kMaxProblems = 20;

/// Gives each value to the builder of its instance. Series are numbered instance * counters + counter.
class MinuteSink final : public RowSink {
 public:
  MinuteSink(std::vector<MinuteBuilder>& builders, std::size_t counters, std::vector<std::string>& problems)
      : builders_(builders), counters_(counters), problems_(problems) {}

  void rows(const SeriesRows& rows) override {
    MinuteBuilder& builder = builders_[rows.series / counters_];
    const std::size_t counter = rows.series % counters_;
    for (std::size_t row = 0; row < rows.times.size(); ++row) {
      if (counter == 0) builder.add_sample(rows.times[row].wall_ms, rows.weights_s[row]);
      builder.add(counter, rows.times[row].wall_ms, rows.values[row], rows.weights_s[row]);
    }
  }
  void sampled(const ObjectPlan&, std::span<const TimeBase>) override {}
  void raw(std::size_t, const query::RawPoint&) override {}
  void damaged(query::TimeRange, const Error& error) override {
    if (problems_.size() < kMaxProblems) problems_.push_back("Stored data are damaged: " + error.message);
  }

 private:
  std::vector<MinuteBuilder>& builders_;
  std::size_t counters_;
  std::vector<std::string>& problems_;
};

/// Minutes of one counter as hours.
std::vector<query::TierPoint> hours_of(std::span<const query::TierPoint> minutes) {
  std::vector<query::TierPoint> hours;
  for (const query::TierPoint& minute : minutes) {
    const std::int64_t start_ms = minute.time_ms / kHourMs * kHourMs;
    if (hours.empty() || hours.back().time_ms != start_ms) {
      hours.push_back(minute);
      hours.back().time_ms = start_ms;
      continue;
    }
    query::TierPoint& hour = hours.back();
    const double weight = hour.weight_s + minute.weight_s;
    if (weight > 0) hour.average = (hour.average * hour.weight_s + minute.average * minute.weight_s) / weight;
    hour.weight_s = weight;
    hour.minimum = std::min(hour.minimum, minute.minimum);
    hour.maximum = std::max(hour.maximum, minute.maximum);
    hour.last = minute.last;
    hour.count += minute.count;
  }
  return hours;
}

}  // namespace

std::vector<std::string> RollUp::take_problems() { return std::exchange(problems_, {}); }

Result<bool> RollUp::step(std::int64_t now_ms) {
  if (!job_) return begin_job(now_ms);
  const Result<void> done = job_->done < job_->sources.size() ? roll_batch() : finish_job();
  if (done) return true;
  job_.reset();
  return tl::unexpected<Error>(done.error());
}

Result<bool> RollUp::begin_job(std::int64_t now_ms) {
  Job job;
  const auto found = find_window(now_ms, job);
  if (!found || !*found) return found;
  if (const auto claimed = claim_parts(job); !claimed) return tl::unexpected<Error>(claimed.error());
  std::vector<Error> damage;
  auto definitions = read_definitions(*database_, damage);
  if (!definitions) return tl::unexpected<Error>(definitions.error());
  job.definitions = std::move(*definitions);
  if (const auto read = find_sources(job); !read) return tl::unexpected<Error>(read.error());
  if (const auto read = find_clocks(job); !read) return tl::unexpected<Error>(read.error());
  job_ = std::move(job);
  return true;
}

/// The oldest minute window that is over, with nothing unsealed before its end.
Result<bool> RollUp::find_window(std::int64_t now_ms, Job& job) {
  auto select = database_->prepare(
      "SELECT host, min(window) / ?2 FROM part WHERE rolled<>?1 GROUP BY host, window / ?2 ORDER BY 2");
  if (!select) return tl::unexpected<Error>(select.error());
  auto unsealed = database_->prepare("SELECT 1 FROM tick WHERE host=?1 AND wall_ms<?2 LIMIT 1");
  if (!unsealed) return tl::unexpected<Error>(unsealed.error());
  select->bind(1, std::int64_t{kRolled}).bind(2, kWindowsPerMinuteWindow);
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return false;
    job.host = select->integer(0);
    job.window = select->integer(1);
    const std::int64_t end_ms = (job.window + 1) * kMinuteWindowMs;
    if (now_ms < end_ms) continue;
    unsealed->bind(1, job.host).bind(2, end_ms);
    const auto waits = unsealed->step();
    if (!waits) return tl::unexpected<Error>(waits.error());
    unsealed->reset();
    if (!*waits) return true;
  }
}

Result<void> RollUp::claim_parts(Job& job) {
  auto transaction = Transaction::begin(*database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  const std::int64_t first = job.window * kWindowsPerMinuteWindow;
  auto claim = database_->prepare("UPDATE part SET rolled=?1 WHERE host=?2 AND window BETWEEN ?3 AND ?4 AND rolled=?5");
  if (!claim) return tl::unexpected<Error>(claim.error());
  claim->bind(1, std::int64_t{kRolling}).bind(2, job.host).bind(3, first);
  claim->bind(4, first + kWindowsPerMinuteWindow - 1).bind(5, std::int64_t{kNotRolled});
  if (const auto claimed = claim->run(); !claimed) return claimed;
  auto number = database_->prepare("SELECT coalesce(max(part) + 1, 0) FROM minute_part WHERE window=?1");
  if (!number) return tl::unexpected<Error>(number.error());
  number->bind(1, job.window);
  const auto row = number->step();
  if (!row) return tl::unexpected<Error>(row.error());
  job.part = std::min(number->integer(0), kMaxPart);
  number->reset();

  const query::TimeRange everything{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  auto parts = read_parts(*database_, job.host, everything);
  if (!parts) return tl::unexpected<Error>(parts.error());
  std::erase_if(*parts, [&](const SealedPart& part) {
    return part.rolled != kRolling || part.window / kWindowsPerMinuteWindow != job.window;
  });
  job.parts = std::move(*parts);
  return transaction->commit();
}

/// Whoever has a chunk in one of the parts.
Result<void> RollUp::find_sources(Job& job) {
  auto select = database_->prepare(
      "SELECT instance.id, object, first_ms, last_ms, from_zero FROM instance "
      "WHERE host=?1 AND role=?2 AND last_ms>=?3 AND first_ms<=?4 ORDER BY instance.id");
  if (!select) return tl::unexpected<Error>(select.error());
  std::int64_t first_ms = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_ms = std::numeric_limits<std::int64_t>::min();
  for (const SealedPart& part : job.parts) {
    first_ms = std::min(first_ms, part.first_ms);
    last_ms = std::max(last_ms, part.last_ms);
  }
  select->bind(1, job.host).bind(2, std::int64_t{kRoleData}).bind(3, first_ms).bind(4, last_ms);
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return {};
    Source source;
    source.instance.id = static_cast<std::uint32_t>(select->integer(0));
    source.object = static_cast<std::uint32_t>(select->integer(1));
    source.instance.first_ms = select->integer(2);
    source.instance.last_ms = select->integer(3);
    source.instance.from_zero = select->integer(4) != 0;
    if (job.definitions.contains(source.object)) job.sources.push_back(std::move(source));
  }
}

Result<void> RollUp::find_clocks(Job& job) {
  auto select = database_->prepare("SELECT object, id FROM instance WHERE host=?1 AND role=?2 ORDER BY id");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, job.host).bind(2, std::int64_t{kRoleClock});
  for (;;) {
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return {};
    job.clocks[static_cast<std::uint32_t>(select->integer(0))].push_back(static_cast<std::uint32_t>(select->integer(1)));
  }
}

Result<void> RollUp::roll_batch() {
  Job& job = *job_;
  ObjectPlan plan;
  plan.id = job.sources[job.done].object;
  plan.host = job.host;
  plan.definition = job.definitions.at(plan.id);
  plan.clocks = job.clocks[plan.id];
  for (const CounterDefinition& counter : plan.definition->counters)
    plan.cooks.push_back(std::make_unique<ColumnCook>(*plan.definition, counter));
  for (std::size_t field = 0; field < plan.definition->fields.size(); ++field)
    plan.fields.push_back(static_cast<std::uint16_t>(field));

  const std::size_t counters = plan.cooks.size();
  std::size_t end = job.done;
  for (; end < job.sources.size() && plan.instances.size() < kBatchInstances; ++end) {
    if (job.sources[end].object != plan.id) break;
    InstancePlan instance = job.sources[end].instance;
    for (std::size_t counter = 0; counter < counters; ++counter)
      instance.uses.push_back(SeriesUse{plan.instances.size() * counters + counter, counter, false});
    plan.instances.push_back(std::move(instance));
  }
  if (counters > 0) {
    builders_.resize(std::max(builders_.size(), plan.instances.size()));
    for (MinuteBuilder& builder : builders_) builder.begin(job.window * kMinuteWindowMs, counters);
    if (const auto scanned = scan_batch(plan); !scanned) return scanned;
    if (const auto stored = store_batch(plan); !stored) return stored;
  }
  job.done = end;
  return {};
}

Result<void> RollUp::scan_batch(ObjectPlan& plan) {
  auto transaction = Transaction::begin(*database_, Transaction::Kind::read);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  auto rows = SealedRows::open(*database_);
  if (!rows) return tl::unexpected<Error>(rows.error());
  MinuteSink sink(builders_, plan.cooks.size(), problems_);
  const query::TimeRange everything{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  RowScan scan(everything, false, plan.instances.size() * plan.cooks.size(), sink);
  const std::span<ObjectPlan> plans(&plan, 1);
  std::int64_t segment = -1;
  std::int64_t window = -1;
  for (const SealedPart& part : job_->parts) {
    const bool anybody = std::ranges::any_of(plan.instances, [&](const InstancePlan& instance) {
      return instance.last_ms >= part.first_ms && instance.first_ms <= part.last_ms;
    });
    if (!anybody) continue;
    if (part.segment != segment || part.window != window + 1) {
      const auto before = part_before(*database_, job_->host, part.segment, part.window);
      if (!before) return tl::unexpected<Error>(before.error());
      if (before->has_value()) {
        const auto prepared = scan_part(*rows, **before, plans, RowScan::Use::prepare, scan, sink);
        if (!prepared) return prepared;
      }
    }
    if (const auto scanned = scan_part(*rows, part, plans, RowScan::Use::emit, scan, sink); !scanned) return scanned;
    segment = part.segment;
    window = part.window;
  }
  return {};
}

Result<void> RollUp::store_batch(const ObjectPlan& plan) {
  auto transaction = Transaction::begin(*database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  auto insert = database_->prepare("INSERT OR REPLACE INTO minute(id, v) VALUES(?1, ?2)");
  if (!insert) return tl::unexpected<Error>(insert.error());
  for (std::size_t index = 0; index < plan.instances.size(); ++index) {
    if (builders_[index].empty()) continue;
    const auto blob = builders_[index].encode();
    if (!blob) return tl::unexpected<Error>(blob.error());
    insert->bind(1, pack_id(job_->window, job_->part, plan.instances[index].id)).bind_blob(2, *blob);
    if (const auto inserted = insert->run(); !inserted) return inserted;
    // Instances that come and go by the thousand have no hours.
    if (plan.definition->notable) continue;
    if (const auto stored = store_hours(plan, index); !stored) return stored;
  }
  return transaction->commit();
}

Result<void> RollUp::store_hours(const ObjectPlan& plan, std::size_t index) {
  // A late piece of an hour that is already there does not replace the whole.
  auto insert = database_->prepare(
      "INSERT INTO hour(instance, counter, hour, count, min, max, avg, last) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) "
      "ON CONFLICT DO UPDATE SET count=excluded.count, min=excluded.min, max=excluded.max, avg=excluded.avg, "
      "last=excluded.last WHERE excluded.count>=hour.count");
  if (!insert) return tl::unexpected<Error>(insert.error());
  for (std::size_t counter = 0; counter < plan.cooks.size(); ++counter) {
    builders_[index].points(counter, points_);
    if (points_.empty()) continue;
    const auto number = counter_number(plan.definition->counters[counter].name);
    if (!number) return tl::unexpected<Error>(number.error());
    for (const query::TierPoint& hour : hours_of(points_)) {
      insert->bind(1, std::int64_t{plan.instances[index].id}).bind(2, *number).bind(3, hour.time_ms / kHourMs);
      insert->bind(4, static_cast<std::int64_t>(hour.count)).bind(5, hour.minimum).bind(6, hour.maximum);
      insert->bind(7, hour.average).bind(8, hour.last);
      if (const auto inserted = insert->run(); !inserted) return inserted;
    }
  }
  return {};
}

Result<std::int64_t> RollUp::counter_number(const std::string& name) {
  auto insert = database_->prepare("INSERT INTO counter_name(name) VALUES(?1) ON CONFLICT(name) DO NOTHING");
  if (!insert) return tl::unexpected<Error>(insert.error());
  insert->bind(1, std::string_view(name));
  if (const auto inserted = insert->run(); !inserted) return tl::unexpected<Error>(inserted.error());
  auto select = database_->prepare("SELECT id FROM counter_name WHERE name=?1");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, std::string_view(name));
  const auto row = select->step();
  if (!row) return tl::unexpected<Error>(row.error());
  if (!*row) return fail(ErrorCode::internal, "the name of a counter was not stored");
  return select->integer(0);
}

Result<void> RollUp::finish_job() {
  auto transaction = Transaction::begin(*database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  const std::int64_t first = job_->window * kWindowsPerMinuteWindow;
  if (!job_->parts.empty()) {
    std::int64_t first_ms = std::numeric_limits<std::int64_t>::max();
    std::int64_t last_ms = std::numeric_limits<std::int64_t>::min();
    for (const SealedPart& part : job_->parts) {
      first_ms = std::min(first_ms, part.first_ms);
      last_ms = std::max(last_ms, part.last_ms);
    }
    auto insert = database_->prepare(
        "INSERT OR REPLACE INTO minute_part(host, window, part, first_ms, last_ms) VALUES(?1, ?2, ?3, ?4, ?5)");
    if (!insert) return tl::unexpected<Error>(insert.error());
    insert->bind(1, job_->host).bind(2, job_->window).bind(3, job_->part).bind(4, first_ms).bind(5, last_ms);
    if (const auto inserted = insert->run(); !inserted) return inserted;
  }
  auto done = database_->prepare("UPDATE part SET rolled=?1 WHERE host=?2 AND window BETWEEN ?3 AND ?4 AND rolled=?5");
  if (!done) return tl::unexpected<Error>(done.error());
  done->bind(1, std::int64_t{kRolled}).bind(2, job_->host).bind(3, first);
  done->bind(4, first + kWindowsPerMinuteWindow - 1).bind(5, std::int64_t{kRolling});
  if (const auto set = done->run(); !set) return set;
  if (const auto committed = transaction->commit(); !committed) return committed;
  job_.reset();
  builders_.clear();
  builders_.shrink_to_fit();
  return {};
}

}  // namespace countertop::history
