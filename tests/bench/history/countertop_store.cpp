#include "tests/bench/history/countertop_store.hpp"

#include <sqlite3.h>

#include <cmath>
#include <stdexcept>

#include "server/query/plan.hpp"
#include "tests/bench/history/measure.hpp"
#include "tests/bench/history/replay.hpp"
#include "tests/bench/history/stores.hpp"

namespace countertop::bench {
namespace {

template <typename T>
T require(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace

CountertopStore::CountertopStore(const std::filesystem::path& directory, std::int64_t now_ms)
    : directory_(directory),
      writer_(require(history::HistoryWriter::open({directory, "bench", "boot", "benchmark"}, now_ms))) {
  history::RetentionPolicy policy;
  policy.raw_days = policy.minute_days = policy.hour_days = 36'500;
  policy.max_bytes = std::int64_t{1} << 40;
  maintenance_ = require(history::Maintenance::open(directory, policy));
}

void CountertopStore::write(std::span<const Snapshot> snapshots, std::int64_t now_ms) {
  require(writer_->write(snapshots, {}, now_ms));
}

void CountertopStore::maintain(std::int64_t now_ms) { require(maintenance_->run(now_ms)); }

void CountertopStore::close(std::int64_t now_ms) {
  maintenance_.reset();
  require(writer_->close(now_ms));
  writer_.reset();
}

std::filesystem::path database_file(const std::filesystem::path& directory) {
  return directory / history::kDatabaseFileName;
}

TableSizes table_sizes(const std::filesystem::path& directory) {
  TableSizes sizes;
  sqlite3* database = nullptr;
  if (sqlite3_open_v2(database_file(directory).c_str(), &database, SQLITE_OPEN_READONLY, nullptr) !=
      SQLITE_OK) {
    throw std::runtime_error("The history does not open.");
  }
  sqlite3_stmt* statement = nullptr;
  const char* sql =
      "SELECT name, sum(pgsize) FROM dbstat GROUP BY 1 "
      "UNION ALL SELECT 'free', freelist_count * page_size FROM pragma_freelist_count, pragma_page_size";
  if (sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) != SQLITE_OK) {
    throw std::runtime_error("This SQLite has no dbstat table, so sizes are not known.");
  }
  while (sqlite3_step(statement) == SQLITE_ROW) {
    const std::string name = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
    std::uint64_t* place = name == "chunk"    ? &sizes.chunk
                           : name == "minute" ? &sizes.minute
                           : name == "hour"   ? &sizes.hour
                           : name == "tick"   ? &sizes.tick
                           : name == "free"   ? &sizes.free
                                              : &sizes.other;
    *place += static_cast<std::uint64_t>(sqlite3_column_int64(statement, 1));
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return sizes;
}

std::unique_ptr<history::HistoryReader> open_reader(const std::filesystem::path& directory) {
  return require(history::HistoryReader::open(directory));
}

std::size_t ask(history::HistoryReader& reader, std::span<const query::CounterPath> series,
                query::TimeRange range, std::int64_t step_ms) {
  query::Request request;
  request.series.assign(series.begin(), series.end());
  request.range = range;
  request.aggregates = {query::Aggregate::minimum, query::Aggregate::maximum, query::Aggregate::average};
  query::PlanRequest wish;
  wish.range = range;
  wish.aggregates = request.aggregates;
  if (step_ms > 0) {
    wish.step = query::Step{step_ms, 0};
  } else {
    wish.points = kMaxPoints;
  }
  const query::Plan plan = require(query::plan_buckets(wish));
  request.grid = plan.grid;
  request.tier = plan.tier;
  const query::Answer answer = require(reader.query(request));
  std::size_t filled = 0;
  for (std::size_t i = 0; i < answer.time_ms.size(); ++i) {
    for (const query::SeriesAnswer& one : answer.series) {
      if (std::isnan(one.columns.back()[i])) continue;
      ++filled;
      break;
    }
  }
  return filled;
}

StoreFigures measure_countertop(const test::Corpus& corpus) {
  StoreFigures figures{.name = "Countertop"};
  const ScratchDirectory scratch;
  const std::filesystem::path directory = scratch.path() / "data";
  const std::int64_t first = corpus.time_ms.front();
  const std::int64_t last = corpus.time_ms.back();
  CorpusReplay replay(corpus);
  {
    CountertopStore store(directory, first);
    double cpu_s = 0;
    constexpr std::size_t kRowsAtOnce = 256;
    for (std::size_t row = 0; row < corpus.time_ms.size();) {
      const std::size_t begin = row;
      std::vector<std::vector<Snapshot>> rows;
      for (; row < corpus.time_ms.size() && row < begin + kRowsAtOnce; ++row) rows.push_back(replay.row(row));
      const double before = thread_cpu_seconds();
      for (std::size_t i = 0; i < rows.size(); ++i) store.write(rows[i], corpus.time_ms[begin + i]);
      cpu_s += thread_cpu_seconds() - before;
    }
    const double before = thread_cpu_seconds();
    store.maintain(last + 3'600'000);  // an hour later every window is closed
    cpu_s += thread_cpu_seconds() - before;
    figures.ingest_samples_per_s = static_cast<double>(corpus.samples()) / cpu_s;
    store.close(last + 3'600'000);
  }
  const TableSizes sizes = table_sizes(directory);
  figures.data_bytes = sizes.chunk;
  figures.total_bytes = bytes_below(directory) - sizes.free;

  const auto reader = open_reader(directory);
  const std::vector<query::CounterPath> all = test::paths_of(corpus, replay.objects());
  const auto measure = [&](std::size_t count, int runs) {
    std::vector<query::CounterPath> paths;
    for (const std::size_t series : series_to_query(corpus, count)) paths.push_back(all[series]);
    return best_milliseconds(runs, [&] {
      if (ask(*reader, paths, {first, last + 1}) == 0) throw std::runtime_error("A query gave no values.");
    });
  };
  figures.query_one_ms = measure(1, 5);
  figures.query_fifty_ms = measure(kManySeries, 3);
  return figures;
}

}  // namespace countertop::bench
