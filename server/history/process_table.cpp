#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>

#include "server/history/history_reader_impl.hpp"
#include "server/history/layout.hpp"
#include "server/history/resolver.hpp"
#include "server/history/row_scan.hpp"
#include "server/history/series_scan.hpp"
#include "server/query/counter_path.hpp"

namespace countertop::history {

namespace {

constexpr std::string_view kProcessObject = "process";
constexpr std::int64_t kLongestAgeMs = 60'000;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Keeps the last value of each series, and when the object was sampled last.
class MomentSink final : public RowSink {
 public:
  explicit MomentSink(std::size_t series) : values_(series, kNone), seen_(series, 0) {}

  void rows(const SeriesRows& rows) override {
    values_[rows.series] = rows.values.back();
    seen_[rows.series] = 1;
  }
  void sampled(const ObjectPlan&, std::span<const TimeBase> times) override {
    for (const TimeBase& time : times) newest_ms_ = std::max(newest_ms_.value_or(time.wall_ms), time.wall_ms);
  }
  void raw(std::size_t, const query::RawPoint&) override {}
  void damaged(query::TimeRange, const Error&) override {}

  [[nodiscard]] std::optional<std::int64_t> newest_ms() const { return newest_ms_; }
  [[nodiscard]] bool seen(std::size_t series) const { return seen_[series] != 0; }
  [[nodiscard]] double value(std::size_t series) const { return values_[series]; }

 private:
  std::vector<double> values_;
  std::vector<char> seen_;
  std::optional<std::int64_t> newest_ms_;
};

/// Numbers of a JSON array like [1,null,-3]; nullopt for anything else.
std::optional<std::vector<std::int64_t>> parse_totals(std::string_view json) {
  std::vector<std::int64_t> totals;
  if (json.size() < 2 || json.front() != '[' || json.back() != ']') return std::nullopt;
  json = json.substr(1, json.size() - 2);
  while (!json.empty()) {
    const std::string_view item = json.substr(0, json.find(','));
    if (item == "null") {
      totals.push_back(kNoValue);
    } else {
      std::int64_t number = 0;
      const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), number);
      if (error != std::errc() || end != item.data() + item.size()) return std::nullopt;
      totals.push_back(number);
    }
    json.remove_prefix(std::min(json.size(), item.size() + 1));
  }
  return totals;
}

TimeBase moment(std::int64_t wall_ms) {
  TimeBase time;
  time.wall_ms = wall_ms;
  time.perf_time = wall_ms;
  time.perf_frequency = 1000;
  return time;
}

class TableBuilder {
 public:
  TableBuilder(ReaderSession& session, const std::vector<ObjectVersion>& versions, std::int64_t host)
      : session_(session), versions_(versions), host_(host) {
    for (const CounterDefinition& counter : versions.back().definition->counters) {
      table_.counters.push_back(counter.name);
      table_.units.push_back(counter.unit);
    }
  }

  Result<query::ProcessTable> build(std::int64_t at_ms);

 private:
  Result<std::optional<std::int64_t>> newest_snapshot(std::int64_t at_ms);
  Result<void> add_instances();
  Result<void> add_brief();
  query::ProcessRow* row_for(const std::string& instance);
  void set(query::ProcessRow& row, const std::string& counter, double value);

  ReaderSession& session_;
  const std::vector<ObjectVersion>& versions_;
  std::int64_t host_;
  query::ProcessTable table_;
  std::map<std::string, std::size_t> rows_;
};

Result<std::optional<std::int64_t>> TableBuilder::newest_snapshot(std::int64_t at_ms) {
  QueryPlan plan;
  for (const ObjectVersion& version : versions_) {
    ObjectPlan object;
    object.id = version.id;
    object.host = host_;
    object.definition = version.definition;
    auto clocks = session_.catalog().clocks(host_, version.id);
    if (!clocks) return tl::unexpected<Error>(clocks.error());
    object.clocks = std::move(*clocks);
    plan.objects.push_back(std::move(object));
  }
  const query::TimeRange range{at_ms - kLongestAgeMs, at_ms + 1};
  MomentSink sink(0);
  RowScan scan(range, false, 0, sink);
  const auto scanned = scan_raw(session_.database(), host_, plan, range, ScanOptions{}, scan, sink, {});
  if (!scanned) return tl::unexpected<Error>(scanned.error());
  return sink.newest_ms();
}

query::ProcessRow* TableBuilder::row_for(const std::string& instance) {
  const auto [place, is_new] = rows_.try_emplace(instance, table_.rows.size());
  if (is_new) {
    query::ProcessRow row;
    const auto parsed = query::parse_process_instance(instance);
    row.name = parsed ? std::string(parsed->name) : instance;
    if (parsed) {
      row.pid = parsed->pid;
      row.start_s = parsed->start_s;
    }
    row.values.assign(table_.counters.size(), kNone);
    table_.rows.push_back(std::move(row));
  }
  return &table_.rows[place->second];
}

void TableBuilder::set(query::ProcessRow& row, const std::string& counter, double value) {
  const auto found = std::ranges::find(table_.counters, counter);
  if (found != table_.counters.end())
    row.values[static_cast<std::size_t>(found - table_.counters.begin())] = value;
}

Result<void> TableBuilder::add_instances() {
  query::Request request;
  request.range = query::TimeRange{table_.time_ms, table_.time_ms + 1};
  request.max_series = std::numeric_limits<std::size_t>::max();
  request.series.push_back(query::CounterPath{"", std::string(kProcessObject), "*", "*"});
  auto plan = resolve(session_.catalog(), request);
  if (!plan) return tl::unexpected<Error>(plan.error());
  MomentSink sink(plan->series.size());
  RowScan scan(request.range, false, plan->series.size(), sink);
  const auto scanned =
      scan_raw(session_.database(), host_, *plan, request.range, ScanOptions{}, scan, sink, {});
  if (!scanned) return scanned;
  for (std::size_t i = 0; i < plan->series.size(); ++i) {
    if (!sink.seen(i)) continue;
    const query::SeriesAnswer& header = plan->series[i].header;
    set(*row_for(header.instance), header.counter, sink.value(i));
  }
  return {};
}

Result<void> TableBuilder::add_brief() {
  auto select = session_.database().prepare(
      "SELECT object, name, born_ms, last_ms, totals FROM brief_instance "
      "WHERE id BETWEEN ?1 AND ?2 AND first_ms<=?3 AND last_ms>=?3 AND host=?4");
  if (!select) return tl::unexpected<Error>(select.error());
  const std::int64_t window = window_of(table_.time_ms);
  select->bind(1, pack_id(window, 0, 0))
      .bind(2, pack_id(window, kMaxPart, kMaxInstance))
      .bind(3, table_.time_ms)
      .bind(4, host_);
  for (;;) {
    const auto stepped = select->step();
    if (!stepped) return tl::unexpected<Error>(stepped.error());
    if (!*stepped) return {};
    const auto version = std::ranges::find(versions_, select->integer(0), &ObjectVersion::id);
    const auto totals = parse_totals(select->text(4));
    if (version == versions_.end() || !totals || totals->size() != version->definition->fields.size())
      continue;
    const std::string name(select->text(1));
    if (rows_.contains(name)) continue;  // not sealed yet: the ticks have told it
    query::ProcessRow& row = *row_for(name);
    row.brief = true;
    const RawSample sample{*totals, moment(select->integer(3))};
    for (const CounterDefinition& counter : version->definition->counters) {
      const Cooked cooked = cook_from_zero(*version->definition, counter, moment(select->integer(2)), sample);
      if (cooked.has_value()) set(row, counter.name, cooked.value);
    }
  }
}

Result<query::ProcessTable> TableBuilder::build(std::int64_t at_ms) {
  const auto newest = newest_snapshot(at_ms);
  if (!newest) return tl::unexpected<Error>(newest.error());
  if (!newest->has_value())
    return fail(ErrorCode::not_found, "no processes were recorded in the minute before that time");
  table_.time_ms = **newest;
  if (const auto added = add_instances(); !added) return tl::unexpected<Error>(added.error());
  if (const auto added = add_brief(); !added) return tl::unexpected<Error>(added.error());
  return std::move(table_);
}

}  // namespace

Result<query::ProcessTable> HistoryReader::processes(std::int64_t at_ms) {
  ReaderSession& session = impl_->session;
  const auto transaction = session.begin();
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  const std::vector<ObjectVersion>* const versions = session.catalog().versions(kProcessObject);
  if (versions == nullptr) return fail(ErrorCode::not_found, "no processes were recorded");
  const auto host = session.catalog().host({});
  if (!host) return tl::unexpected<Error>(host.error());
  return TableBuilder(session, *versions, host->value_or(0)).build(at_ms);
}

}  // namespace countertop::history
