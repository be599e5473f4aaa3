#include "server/history/history_reader.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "server/history/history_reader_impl.hpp"
#include "server/history/query_sink.hpp"
#include "server/history/resolver.hpp"
#include "server/history/tail.hpp"
#include "server/history/tier_choice.hpp"
#include "server/history/wall_clock.hpp"
#include "server/query/plan.hpp"

namespace countertop::history {

namespace {

/// All paths of one request are about one host so far: the one of the first path.
std::string host_of(const query::Request& request) {
  return request.series.empty() ? std::string() : request.series.front().host;
}

bool is_too_large(const query::Request& request, std::size_t series) {
  const std::size_t columns = series * std::max<std::size_t>(request.aggregates.size(), 1);
  return columns != 0 && request.grid.count > request.max_points / columns;
}

}  // namespace

HistoryReader::HistoryReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HistoryReader::~HistoryReader() = default;

Result<std::unique_ptr<HistoryReader>> HistoryReader::open(const std::filesystem::path& directory) {
  auto impl = std::make_unique<Impl>(directory);
  if (const auto connected = impl->session.connect(); !connected)
    return tl::unexpected<Error>(connected.error());
  return std::unique_ptr<HistoryReader>(new HistoryReader(std::move(impl)));
}

Result<query::Answer> HistoryReader::query(const query::Request& request, const std::stop_token& stop) {
  ReaderSession& session = impl_->session;
  const auto transaction = session.begin();
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  auto plan = resolve(session.catalog(), request);
  if (!plan) return tl::unexpected<Error>(plan.error());
  if (is_too_large(request, plan->series.size()))
    return tl::unexpected<Error>(too_many_points(request, plan->series.size()));
  const auto host = session.catalog().host(host_of(request));
  if (!host) return tl::unexpected<Error>(host.error());

  query::Answer answer;
  QuerySink sink(request, *plan);
  const auto tier = scan_tiers(session.database(), host->value_or(0), request, *plan, sink, stop);
  if (!tier) return tl::unexpected<Error>(tier.error());
  if (sink.is_too_large()) return tl::unexpected<Error>(too_many_points(request, plan->series.size()));
  answer.tier = *tier;
  const auto marks = session.marks_for_gaps(request.range);
  if (!marks) return tl::unexpected<Error>(marks.error());
  sink.finish(*marks, wall_clock_ms(), answer);
  for (const std::string& problem : session.catalog().problems()) answer.warnings.push_back(problem);
  return answer;
}

Result<std::vector<ObjectInfo>> HistoryReader::objects() {
  ReaderSession& session = impl_->session;
  const auto transaction = session.begin();
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  auto count = session.database().prepare("SELECT count(*) FROM instance WHERE object=?1 AND role=0");
  if (!count) return tl::unexpected<Error>(count.error());
  std::vector<ObjectInfo> objects;
  for (const auto& [name, versions] : session.catalog().objects()) {
    ObjectInfo info{versions.back().definition, 0, versions.front().first_ms};
    for (const ObjectVersion& version : versions) {
      count->bind(1, std::int64_t{version.id});
      const auto row = count->step();
      if (!row) return tl::unexpected<Error>(row.error());
      if (*row) info.instances += static_cast<std::size_t>(count->integer(0));
      count->reset();
    }
    objects.push_back(std::move(info));
  }
  return objects;
}

Result<ObjectInfo> HistoryReader::object(std::string_view name) {
  auto all = objects();
  if (!all) return tl::unexpected<Error>(all.error());
  const auto found =
      std::ranges::find_if(*all, [&](const ObjectInfo& info) { return info.definition->name == name; });
  if (found == all->end())
    return fail(ErrorCode::not_found, "object '" + std::string(name) + "' is not in the history");
  return *found;
}

Result<std::vector<InstanceInfo>> HistoryReader::instances(std::string_view object, query::TimeRange range) {
  ReaderSession& session = impl_->session;
  const auto transaction = session.begin();
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  const std::vector<ObjectVersion>* const versions = session.catalog().versions(object);
  if (versions == nullptr)
    return fail(ErrorCode::not_found, "object '" + std::string(object) + "' is not in the history");
  const auto host = session.catalog().host({});
  if (!host) return tl::unexpected<Error>(host.error());
  const auto heads = read_tick_heads(session.database(), host->value_or(0));
  if (!heads) return tl::unexpected<Error>(heads.error());
  std::map<std::string, InstanceInfo> by_name;
  for (const ObjectVersion& version : *versions) {
    const auto alive = session.catalog().alive(host->value_or(0), version.id, range);
    if (!alive) return tl::unexpected<Error>(alive.error());
    // Who is in the unsealed ticks of the range; sealed rows tell the time of the others.
    std::map<std::uint32_t, query::TimeRange> seen;
    const std::uint32_t wanted[] = {version.id};
    const auto visit = [&](const TickHead& head, const TickRecord& record) {
      if (head.wall_ms < range.from_ms - 1000 || head.wall_ms >= range.to_ms) return;
      for (const std::uint32_t id : record.instances) {
        const auto [place, is_new] = seen.try_emplace(id, query::TimeRange{record.time.wall_ms, 0});
        place->second.to_ms = record.time.wall_ms;
      }
    };
    const auto replayed = replay_ticks(session.database(), *heads, 0, heads->size(), wanted, visit,
                                       [](const TickHead&, const Error&) {});
    if (!replayed) return tl::unexpected<Error>(replayed.error());
    for (const InstanceRecord& instance : *alive) {
      const auto live = seen.find(instance.id);
      const bool is_sealed = instance.last_ms != std::numeric_limits<std::int64_t>::max();
      if (live == seen.end() && (!is_sealed || instance.last_ms < range.from_ms)) continue;
      InstanceInfo info{instance.name, instance.first_ms, is_sealed ? instance.last_ms : instance.first_ms};
      if (live != seen.end()) info.last_ms = std::max(info.last_ms, live->second.to_ms);
      const auto [place, is_new] = by_name.try_emplace(instance.name, info);
      place->second.first_ms = std::min(place->second.first_ms, info.first_ms);
      place->second.last_ms = std::max(place->second.last_ms, info.last_ms);
    }
  }
  std::vector<InstanceInfo> result;
  for (auto& [name, info] : by_name) result.push_back(std::move(info));
  return result;
}

Result<std::vector<query::StoredMark>> HistoryReader::marks(query::TimeRange range) {
  ReaderSession& session = impl_->session;
  const auto transaction = session.begin();
  if (!transaction) return tl::unexpected<Error>(transaction.error());
  return session.marks(range);
}

}  // namespace countertop::history
