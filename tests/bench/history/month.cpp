// A month of seconds: size, and the queries that the page asks most.
#include <sys/statvfs.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "tests/bench/history/countertop_store.hpp"
#include "tests/bench/history/measure.hpp"
#include "tests/bench/history/replay.hpp"
#include "tests/bench/history/stores.hpp"

namespace countertop::bench {
namespace {

constexpr std::size_t kSeries = 650;
constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kStartMs = 1'767'225'600'000;  // 2026-01-01
constexpr std::int64_t kWindowSeconds = 1200;
constexpr std::int64_t kMaintainedAt = 8 * 60;      // seconds after a window's end
constexpr std::int64_t kUnsealedSeconds = 17 * 60;  // the file ends inside a window, as it does in life

struct Building {
  double write_cpu_s = 0, maintain_cpu_s = 0, wall_s = 0;
};

Building build(EndlessReplay& replay, const std::filesystem::path& directory, std::int64_t seconds) {
  Building building;
  const Stopwatch whole;
  CountertopStore store(directory, replay.now_ms());
  constexpr std::int64_t kSecondsAtOnce = 60;
  std::vector<std::vector<Snapshot>> rows(kSecondsAtOnce);
  for (std::int64_t second = 0; second < seconds; second += kSecondsAtOnce) {
    const std::int64_t now_ms = replay.now_ms();
    for (auto& row : rows) row = replay.next();
    const double before = thread_cpu_seconds();
    for (std::int64_t i = 0; i < kSecondsAtOnce; ++i)
      store.write(rows[static_cast<std::size_t>(i)], now_ms + i * 1000);
    building.write_cpu_s += thread_cpu_seconds() - before;
    if (second % kWindowSeconds == kMaintainedAt) {
      const double start = thread_cpu_seconds();
      store.maintain(replay.now_ms());
      building.maintain_cpu_s += thread_cpu_seconds() - start;
    }
    if (second % 86'400 == 0)
      std::fprintf(stderr, "\rmonth: day %lld ", static_cast<long long>(second / 86'400 + 1));
  }
  store.close(replay.now_ms());
  building.wall_s = whole.seconds();
  std::fprintf(stderr, "\n");
  return building;
}

double cold_milliseconds(const std::filesystem::path& directory, std::span<const query::CounterPath> series,
                         query::TimeRange range, std::int64_t step_ms) {
  double worst = 0;
  for (int run = 0; run < 3; ++run) {
    drop_from_cache(database_file(directory));
    worst = std::max(worst, in_fresh_process([&] {
                       const auto reader = open_reader(directory);
                       const Stopwatch watch;
                       return ask(*reader, series, range, step_ms) > 0 ? watch.milliseconds() : std::nan("");
                     }));
  }
  return worst;
}

void measure_queries(const std::filesystem::path& directory, const EndlessReplay& replay,
                     query::TimeRange month, std::vector<MonthFigure>& figures) {
  const auto reader = open_reader(directory);
  const std::vector<query::CounterPath>& paths = replay.changing_paths();
  const std::int64_t step_ms =
      ((month.to_ms - month.from_ms) / 60'000 / static_cast<std::int64_t>(kMaxPoints) + 1) * 60'000;
  const std::vector<query::CounterPath> one{paths[paths.size() / 2]};
  const auto warm = [&](std::span<const query::CounterPath> series, query::TimeRange range,
                        std::int64_t step) {
    return best_milliseconds(9, [&] {
      if (ask(*reader, series, range, step) == 0) throw std::runtime_error("A query gave no values.");
    });
  };
  figures.push_back(
      {"one series, the month, as the page asks (round steps), warm", warm(one, month, 0), "ms", 2});
  figures.push_back(
      {"one series, the month, 1000 buckets out of minutes, warm", warm(one, month, step_ms), "ms", 2});
  figures.push_back({"one series, the month, as the page asks, cold",
                     cold_milliseconds(directory, one, month, 0), "ms", 15});
  figures.push_back({"one series, the month, 1000 buckets out of minutes, cold",
                     cold_milliseconds(directory, one, month, step_ms), "ms", 15});

  std::vector<query::CounterPath> fifty;
  for (std::size_t i = 0; i < kManySeries; ++i)
    fifty.push_back(paths[(2 * i + 1) * paths.size() / (2 * kManySeries)]);
  const query::TimeRange hour{month.to_ms - 3'600'000, month.to_ms};
  const query::TimeRange day{month.to_ms - kDayMs, month.to_ms};
  figures.push_back({"50 series, the last hour, warm", warm(fifty, hour, 0), "ms", 10});
  figures.push_back({"50 series, the last hour, cold", cold_milliseconds(directory, fifty, hour, 0), "ms"});
  figures.push_back({"50 series, the last day, warm", warm(fifty, day, 0), "ms"});
  figures.push_back({"50 series, the month, warm", warm(fifty, month, 0), "ms"});
}

}  // namespace

std::vector<MonthFigure> measure_month(const test::Corpus& corpus, int days) {
  EndlessReplay replay(corpus, kSeries, kStartMs);
  const std::int64_t seconds = std::int64_t{days} * 86'400 + kUnsealedSeconds;
  // Built in memory, for a month of syncs in a row would measure the disk; asked on disk, for cold caches.
  const ScratchDirectory scratch;
  const std::filesystem::path directory = scratch.path() / "data";
  Building building;
  {
    const ScratchDirectory memory(ScratchDirectory::Place::memory, std::uint64_t{2} << 30);
    building = build(replay, memory.path() / "data", seconds);
    std::filesystem::copy(memory.path() / "data", directory, std::filesystem::copy_options::recursive);
  }
  const double samples = static_cast<double>(seconds) * static_cast<double>(replay.series());

  const TableSizes sizes = table_sizes(directory);
  const auto file = static_cast<double>(std::filesystem::file_size(database_file(directory)));
  const auto per_sample = [&](double bytes) { return bytes / samples; };
  std::vector<MonthFigure> figures{
      {"samples", samples / 1e6, "million"},
      {"storing: writer and sealer, one commit a second",
       samples / 1e6 / (building.write_cpu_s + building.maintain_cpu_s), "M/s per core", 10, true},
      {"of it the writer alone", samples / 1e6 / building.write_cpu_s, "M/s per core"},
      {"of it sealer and tiers alone", samples / 1e6 / building.maintain_cpu_s, "M/s per core"},
      {"the same by the clock, making the samples included", samples / 1e6 / building.wall_s, "M/s"},
      {"chunk table", per_sample(static_cast<double>(sizes.chunk)), "B/sample"},
      {"minute tier", per_sample(static_cast<double>(sizes.minute)), "B/sample"},
      {"hour tier", per_sample(static_cast<double>(sizes.hour)), "B/sample"},
      {"ticks, names and the rest", per_sample(static_cast<double>(sizes.tick + sizes.other)), "B/sample"},
      {"free pages", per_sample(static_cast<double>(sizes.free)), "B/sample"},
      {"whole file / chunk table", file / static_cast<double>(sizes.chunk), "", 1.15},
  };
  measure_queries(directory, replay, {kStartMs, replay.now_ms()}, figures);
  return figures;
}

}  // namespace countertop::bench
