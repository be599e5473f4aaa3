#include "server/query/gaps.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

namespace countertop::query {
namespace {

constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

/// A stretch of time that a mark explains.
struct Explanation {
  TimeRange range;
  MarkKind kind = MarkKind::note;
  std::string text;
};

/// Higher explains more: what stopped the whole machine before what stopped the program, and that before a
/// part of it.
int rank(MarkKind kind) {
  switch (kind) {
    case MarkKind::suspend:
      return 10;
    case MarkKind::reboot:
      return 9;
    case MarkKind::crash:
      return 8;
    case MarkKind::stop:
      return 7;
    case MarkKind::store_damaged:
      return 6;
    case MarkKind::disk_full:
      return 5;
    case MarkKind::clock_step:
      return 4;
    case MarkKind::collector_failed:
      return 3;
    case MarkKind::dropped:
      return 2;
    case MarkKind::late:
      return 1;
    case MarkKind::start:
      return 0;
    default:
      return -1;
  }
}

std::string reason_of(const Explanation& explanation) {
  switch (explanation.kind) {
    case MarkKind::suspend:
      return "the computer was asleep";
    case MarkKind::reboot:
      return "the computer was started anew";
    case MarkKind::crash:
      return "Countertop ended without notice: it was killed, or the power failed";
    case MarkKind::stop:
    case MarkKind::start:
      return "Countertop was not running";
    case MarkKind::store_damaged:
      return "the data file was damaged and set aside";
    case MarkKind::disk_full:
      return "the disk was full, nothing could be stored";
    case MarkKind::clock_step:
      return "the clock of the computer was set";
    case MarkKind::collector_failed:
      return explanation.text.empty() ? "the collector failed" : explanation.text;
    case MarkKind::dropped:
      return "samples were lost because storing was too slow";
    case MarkKind::late:
      return "the computer was too busy to take samples";
    default:
      return "nothing was recorded";
  }
}

std::optional<MarkKind> ended_by(MarkKind kind) {
  switch (kind) {
    case MarkKind::stop:
    case MarkKind::crash:
      return MarkKind::start;
    case MarkKind::collector_failed:
      return MarkKind::collector_back;
    case MarkKind::disk_full:
      return MarkKind::disk_back;
    default:
      return std::nullopt;
  }
}

std::vector<Explanation> explanations(std::span<const Mark> marks) {
  std::vector<Explanation> result;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Mark& mark = marks[i];
    if (rank(mark.kind) < 0) continue;
    const std::int64_t until_ms = mark.until_ms == 0 ? mark.wall_ms : mark.until_ms;
    Explanation one{{mark.wall_ms, std::max(mark.wall_ms, until_ms)}, mark.kind, mark.text};
    if (const auto end = ended_by(mark.kind); end && mark.until_ms == 0) {
      const auto rest = marks.subspan(i + 1);
      const auto found = std::ranges::find(rest, *end, &Mark::kind);
      one.range.to_ms = found == rest.end() ? kForever : found->wall_ms;
    }
    result.push_back(std::move(one));
  }
  return result;
}

/// Of what overlaps the gap the highest rank, but anything that covers at least half of it before what does
/// not.
std::string explain(TimeRange gap, std::span<const Explanation> known, std::int64_t interval_ms) {
  const Explanation* best = nullptr;
  bool best_covers = false;
  for (const Explanation& one : known) {
    if (one.range.to_ms < gap.from_ms - 2 * interval_ms || one.range.from_ms > gap.to_ms + 2 * interval_ms)
      continue;
    const std::int64_t overlap =
        std::min(one.range.to_ms, gap.to_ms) - std::max(one.range.from_ms, gap.from_ms);
    const bool covers = overlap >= (gap.to_ms - gap.from_ms) / 2;
    const bool better = best == nullptr || (covers && !best_covers) ||
                        (covers == best_covers && rank(one.kind) > rank(best->kind));
    if (!better) continue;
    best = &one;
    best_covers = covers;
  }
  return best == nullptr ? "no sample was taken, and no mark says why" : reason_of(*best);
}

}  // namespace

std::vector<Gap> find_gaps(std::span<const std::int64_t> sample_times_ms, TimeRange range,
                           std::int64_t interval_ms, std::span<const Mark> marks) {
  std::vector<std::int64_t> times;
  for (const std::int64_t time : sample_times_ms) {
    if (time >= range.from_ms && time < range.to_ms) times.push_back(time);
  }
  if (!std::ranges::is_sorted(times)) std::ranges::sort(times);

  const std::int64_t longest = interval_ms * 5 / 2;
  const std::vector<Explanation> known = explanations(marks);
  std::vector<Gap> gaps;
  const auto note = [&](std::int64_t due_ms, std::int64_t next_ms) {
    const TimeRange gap{due_ms, next_ms};
    gaps.push_back({gap, explain(gap, known, interval_ms)});
  };
  if (times.empty()) {
    if (range.to_ms - range.from_ms > longest) note(range.from_ms, range.to_ms);
    return gaps;
  }
  if (times.front() - range.from_ms > longest) note(range.from_ms, times.front());
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] - times[i - 1] > longest) note(times[i - 1] + interval_ms, times[i]);
  }
  if (range.to_ms - times.back() > longest) note(times.back() + interval_ms, range.to_ms);
  return gaps;
}

}  // namespace countertop::query
