#include "server/history/roller.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "server/history/definition_json.hpp"
#include "server/history/hour_rows.hpp"
#include "server/history/layout.hpp"
#include "server/history/minute_rows.hpp"
#include "server/history/row_scan.hpp"
#include "server/history/sealed_rows.hpp"
#include "server/history/series_scan.hpp"

namespace countertop::history {

namespace {

/// A minute window is rolled this long after its end: its last raw window is sealed by then.
constexpr std::int64_t kGraceMs = 60'000;
constexpr auto kSliceTime = std::chrono::milliseconds(25);
constexpr query::TimeRange kAlways{std::numeric_limits<std::int64_t>::min(),
                                   std::numeric_limits<std::int64_t>::max()};

/// Each counter of the object is a series.
class RollSink final : public RowSink {
 public:
  explicit RollSink(MinuteBuilder& builder) : builder_(builder) {}

  void rows(const SeriesRows& rows) override {
    for (std::size_t i = 0; i < rows.values.size(); ++i) {
      builder_.add(rows.series, rows.times[i].wall_ms, rows.values[i], rows.weights_s[i]);
    }
  }
  void sampled(const ObjectPlan&, std::span<const TimeBase>) override {}
  void raw(std::size_t, const query::RawPoint&) override {}
  void damaged(query::TimeRange, const Error&) override {}  // a gap in the minutes too

 private:
  MinuteBuilder& builder_;
};

}  // namespace

class RollJob {
 public:
  RollJob(Database& database, std::int64_t host, std::int64_t window)
      : database_(database), host_(host), window_(window), sink_(builder_) {}

  Result<void> prepare(std::int64_t up_to_window);
  /// False: the job is done.
  Result<bool> step();

 private:
  struct Item {
    std::uint32_t instance = 0;
    std::uint32_t object = 0;
    std::int64_t first_ms = 0, last_ms = 0;
    bool from_zero = false;
  };

  Result<void> claim_parts(std::int64_t up_to_window);
  /// After a hundred restarts within one window, and after the year 2328, the seconds have to do.
  [[nodiscard]] bool has_room() const {
    return minute_part_ <= kMaxMinutePart && window_ <= kMaxMinuteWindow;
  }
  Result<void> list_instances();
  Result<void> begin_object(std::uint32_t id);
  Result<void> roll(const Item& item);
  Result<bool> is_done(const Item& item);
  [[nodiscard]] std::int64_t minute_id(const Item& item, std::size_t counter) const;
  Result<void> write(const Item& item);
  Result<void> finish();

  Database& database_;
  std::int64_t host_;
  std::int64_t window_;
  std::int64_t minute_part_ = 0;
  std::vector<SealedPart> parts_;     // by segment and window
  std::optional<SealedPart> before_;  // of the first part's segment
  std::vector<Item> items_;           // by object
  std::size_t next_ = 0;

  ObjectPlan object_;                         // the one that items_[next_] belongs to
  std::vector<std::vector<TimeBase>> times_;  // of the object, for before_ and each part
  MinuteBuilder builder_;
  RollSink sink_;
  std::optional<SealedRows> rows_;
  std::optional<HourRows> hours_;
  Statement find_minute_, insert_minute_;
  std::vector<query::TierPoint> points_;
};

Result<void> RollJob::prepare(std::int64_t up_to_window) {
  auto rows = SealedRows::open(database_);
  if (!rows) return tl::unexpected<Error>(rows.error());
  rows_ = std::move(*rows);
  auto hours = HourRows::open(database_);
  if (!hours) return tl::unexpected<Error>(hours.error());
  hours_ = std::move(*hours);
  auto find = database_.prepare("SELECT 1 FROM minute WHERE id=?1");
  if (!find) return tl::unexpected<Error>(find.error());
  find_minute_ = std::move(*find);
  auto insert = database_.prepare("INSERT INTO minute(id, v) VALUES(?1, ?2)");
  if (!insert) return tl::unexpected<Error>(insert.error());
  insert_minute_ = std::move(*insert);
  if (const auto claimed = claim_parts(up_to_window); !claimed) return claimed;
  auto parts = read_parts(database_, host_, kAlways, true);
  if (!parts) return tl::unexpected<Error>(parts.error());
  for (const SealedPart& part : *parts) {
    if (part.window / kWindowsPerMinuteWindow == window_ && part.rolled == kRolling) parts_.push_back(part);
  }
  if (!parts_.empty()) {
    const auto before = part_before(database_, host_, parts_.front().segment, parts_.front().window);
    if (!before) return tl::unexpected<Error>(before.error());
    before_ = *before;
  }
  return list_instances();
}

Result<void> RollJob::claim_parts(std::int64_t up_to_window) {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  // Parts that an interrupted job had claimed are done first, alone: their instances may be written already.
  auto claim = database_.prepare(
      "UPDATE part SET rolled=1 WHERE host=?1 AND window BETWEEN ?2 AND ?3 AND rolled=0 AND NOT EXISTS "
      "(SELECT 1 FROM part WHERE host=?1 AND window BETWEEN ?2 AND ?4 AND rolled=1)");
  if (!claim) return tl::unexpected<Error>(claim.error());
  const std::int64_t first = window_ * kWindowsPerMinuteWindow;
  const std::int64_t last = first + kWindowsPerMinuteWindow - 1;
  claim->bind(1, host_)
      .bind(2, first)
      .bind(3, up_to_window > first ? std::min(last, up_to_window - 1) : last)
      .bind(4, last);
  if (const auto claimed = claim->run(); !claimed) return claimed;
  auto select = database_.prepare("SELECT max(part) FROM minute_part WHERE host=?1 AND window=?2");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, host_).bind(2, window_);
  const auto row = select->step();
  if (!row) return tl::unexpected<Error>(row.error());
  minute_part_ = *row && !select->is_null(0) ? select->integer(0) + 1 : 0;
  select->reset();
  return transaction->commit();
}

Result<void> RollJob::list_instances() {
  if (!has_room()) return {};
  auto chunks = database_.prepare("SELECT instance FROM chunk WHERE id BETWEEN ?1 AND ?2");
  if (!chunks) return tl::unexpected<Error>(chunks.error());
  std::set<std::int64_t> ids;
  for (const SealedPart& part : parts_) {
    chunks->bind(1, pack_id(part.window, part.part, 0))
        .bind(2, pack_id(part.window, part.part, kMaxInstance));
    for (;;) {
      const auto row = chunks->step();
      if (!row) return tl::unexpected<Error>(row.error());
      if (!*row) break;
      ids.insert(chunks->integer(0));
    }
  }
  auto find =
      database_.prepare("SELECT object, first_ms, last_ms, from_zero FROM instance WHERE id=?1 AND role=0");
  if (!find) return tl::unexpected<Error>(find.error());
  for (const std::int64_t id : ids) {
    find->bind(1, id);
    const auto row = find->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) continue;
    items_.push_back(Item{static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(find->integer(0)),
                          find->integer(1), find->integer(2), find->integer(3) != 0});
    find->reset();
  }
  std::ranges::stable_sort(items_, {}, &Item::object);
  return {};
}

Result<void> RollJob::begin_object(std::uint32_t id) {
  object_ = ObjectPlan();
  object_.id = id;
  object_.host = host_;
  auto select = database_.prepare("SELECT definition FROM object WHERE id=?1");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, std::int64_t{id});
  const auto row = select->step();
  if (!row) return tl::unexpected<Error>(row.error());
  if (*row) {
    auto definition = definition_from_json(select->text(0));
    if (definition) object_.definition = std::move(*definition);
  }
  if (object_.definition == nullptr) return {};  // damaged: no minutes for it
  auto clocks = database_.prepare("SELECT id FROM instance WHERE object=?1 AND role=1 AND host=?2");
  if (!clocks) return tl::unexpected<Error>(clocks.error());
  clocks->bind(1, std::int64_t{id}).bind(2, host_);
  for (;;) {
    const auto clock = clocks->step();
    if (!clock) return tl::unexpected<Error>(clock.error());
    if (!*clock) break;
    object_.clocks.push_back(static_cast<std::uint32_t>(clocks->integer(0)));
  }
  std::set<std::uint16_t> fields;
  for (const CounterDefinition& counter : object_.definition->counters) {
    object_.cooks.push_back(std::make_unique<ColumnCook>(*object_.definition, counter));
    fields.insert(object_.cooks.back()->fields().begin(), object_.cooks.back()->fields().end());
  }
  object_.fields.assign(fields.begin(), fields.end());
  times_.clear();
  const auto load = [&](const SealedPart& part) {
    const auto times = rows_->times(part, object_.clocks);
    times_.push_back(times ? **times : std::vector<TimeBase>());  // damaged: no rows there
  };
  if (before_)
    load(*before_);
  else
    times_.emplace_back();
  for (const SealedPart& part : parts_) load(part);
  return {};
}

/// All counters of an instance are written together, so one that is there stands for all.
Result<bool> RollJob::is_done(const Item& item) {
  for (std::size_t counter = 0; counter < object_.definition->counters.size(); ++counter) {
    find_minute_.bind(1, minute_id(item, counter));
    const auto row = find_minute_.step();
    if (!row) return row;
    if (!*row) continue;
    find_minute_.reset();
    return true;
  }
  return false;
}

std::int64_t RollJob::minute_id(const Item& item, std::size_t counter) const {
  return pack_minute_id(item.instance, static_cast<std::int64_t>(counter), window_, minute_part_);
}

Result<void> RollJob::roll(const Item& item) {
  if (object_.definition == nullptr || object_.id != item.object) {
    if (const auto begun = begin_object(item.object); !begun) return begun;
  }
  if (object_.definition == nullptr) return {};
  const auto done = is_done(item);
  if (!done) return tl::unexpected<Error>(done.error());
  if (*done) return {};
  const auto& counters = object_.definition->counters;
  InstancePlan instance;
  instance.id = item.instance;
  instance.first_ms = item.first_ms;
  instance.last_ms = item.last_ms;
  instance.from_zero = item.from_zero;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    const auto type = describe(counters[i].type);
    if (type && type->formula != Formula::none) instance.uses.push_back(SeriesUse{i, i, false});
  }
  if (instance.uses.empty()) return {};
  object_.instances.assign(1, instance);
  object_.carried_segment = -1;
  builder_.begin(window_ * kMinuteWindowMs, counters.size());
  RowScan scan(kAlways, false, counters.size(), sink_);
  InstanceRows rows;
  std::optional<Error> failure;
  const auto scan_one = [&](const SealedPart& part, const std::vector<TimeBase>& times, RowScan::Use use) {
    scan.scan(object_, part.segment, times, use, [&](const InstancePlan& one) -> const InstanceRows* {
      const auto found =
          rows_->read(part, one.id, object_.definition->fields.size(), object_.fields, times.size(), rows);
      if (!found && found.error().code != ErrorCode::malformed) failure = found.error();
      return found && *found ? &rows : nullptr;
    });
  };
  if (before_) scan_one(*before_, times_.front(), RowScan::Use::prepare);
  for (std::size_t i = 0; i < parts_.size() && !failure; ++i)
    scan_one(parts_[i], times_[i + 1], RowScan::Use::emit);
  if (failure) return tl::unexpected<Error>(*failure);
  return write(item);
}

Result<void> RollJob::write(const Item& item) {
  const auto& counters = object_.definition->counters;
  const std::size_t together = shares_minute_row(*object_.definition) ? counters.size() : 1;
  for (std::size_t i = 0; i < counters.size(); i += together) {
    const auto blob = builder_.encode(i, together);
    if (!blob) return tl::unexpected<Error>(blob.error());
    if (blob->empty()) continue;
    insert_minute_.bind(1, minute_id(item, i)).bind_blob(2, *blob);
    if (const auto inserted = insert_minute_.run(); !inserted) return inserted;
  }
  // Thousands of processes a day would make more hours than all the rest; minutes serve them.
  if (object_.definition->notable) return {};
  for (std::size_t i = 0; i < counters.size(); ++i) {
    builder_.points(i, points_);
    if (const auto added = hours_->add(item.instance, counters[i].name, points_); !added) return added;
  }
  return {};
}

Result<bool> RollJob::step() {
  if (next_ >= items_.size()) {
    if (const auto finished = finish(); !finished) return tl::unexpected<Error>(finished.error());
    return false;
  }
  const auto until = std::chrono::steady_clock::now() + kSliceTime;
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  do {
    if (const auto rolled = roll(items_[next_]); !rolled) return tl::unexpected<Error>(rolled.error());
    ++next_;
  } while (next_ < items_.size() && std::chrono::steady_clock::now() < until);
  if (const auto committed = transaction->commit(); !committed)
    return tl::unexpected<Error>(committed.error());
  return true;
}

Result<void> RollJob::finish() {
  auto transaction = Transaction::begin(database_, Transaction::Kind::write);
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  if (!parts_.empty() && has_room()) {
    auto insert = database_.prepare(
        "INSERT INTO minute_part(host, window, part, first_ms, last_ms) VALUES(?1, ?2, ?3, ?4, ?5)");
    if (!insert) return tl::unexpected<Error>(insert.error());
    insert->bind(1, host_)
        .bind(2, window_)
        .bind(3, minute_part_)
        .bind(4, std::ranges::min_element(parts_, {}, &SealedPart::first_ms)->first_ms)
        .bind(5, std::ranges::max_element(parts_, {}, &SealedPart::last_ms)->last_ms);
    if (const auto inserted = insert->run(); !inserted) return inserted;
  }
  auto update =
      database_.prepare("UPDATE part SET rolled=2 WHERE host=?1 AND window BETWEEN ?2 AND ?3 AND rolled=1");
  if (!update) return tl::unexpected<Error>(update.error());
  update->bind(1, host_)
      .bind(2, window_ * kWindowsPerMinuteWindow)
      .bind(3, (window_ + 1) * kWindowsPerMinuteWindow - 1);
  if (const auto updated = update->run(); !updated) return updated;
  return transaction->commit();
}

Roller::Roller(Database& database) : database_(database) {}
Roller::~Roller() = default;

Result<bool> Roller::step(std::int64_t now_ms, std::int64_t up_to_window) {
  if (job_ == nullptr) {
    auto select = database_.prepare("SELECT host, window FROM part WHERE rolled<2 ORDER BY window LIMIT 1");
    if (!select) return tl::unexpected<Error>(select.error());
    const auto row = select->step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return false;
    const std::int64_t raw_window = select->integer(1);
    const std::int64_t window = raw_window / kWindowsPerMinuteWindow;
    const auto newest = database_.integer("SELECT max(wall_ms) FROM tick");
    if (!newest) return tl::unexpected<Error>(newest.error());
    const std::int64_t latest_ms = std::max(now_ms, newest->value_or(0));
    const bool is_over = latest_ms >= (window + 1) * kMinuteWindowMs + kGraceMs;
    if (!is_over && raw_window >= up_to_window) return false;
    auto job = std::make_unique<RollJob>(database_, select->integer(0), window);
    select->reset();
    if (const auto prepared = job->prepare(is_over ? 0 : up_to_window); !prepared)
      return tl::unexpected<Error>(prepared.error());
    job_ = std::move(job);
    return true;
  }
  const auto more = job_->step();
  if (!more || !*more) job_.reset();  // after a failure the next step begins anew
  if (!more) return more;
  return true;
}

}  // namespace countertop::history
