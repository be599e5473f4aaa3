// What one would write first: one row for each sample.
#include <sqlite3.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "tests/bench/history/measure.hpp"
#include "tests/bench/history/stores.hpp"

namespace countertop::bench {
namespace {

class Database {
 public:
  explicit Database(const std::filesystem::path& file) {
    if (sqlite3_open(file.c_str(), &handle_) != SQLITE_OK)
      throw std::runtime_error("Cannot open " + file.string());
    run("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16000;");
  }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() { sqlite3_close_v2(handle_); }

  void run(const char* sql) {
    if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
      throw std::runtime_error(sqlite3_errmsg(handle_));
    }
  }
  [[nodiscard]] auto prepare(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_, sql, -1, &statement, nullptr) != SQLITE_OK) {
      throw std::runtime_error(sqlite3_errmsg(handle_));
    }
    return std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>(statement, &sqlite3_finalize);
  }

 private:
  sqlite3* handle_ = nullptr;
};

void fill(Database& database, const test::Corpus& corpus) {
  const auto insert = database.prepare("INSERT INTO sample(series, time, value) VALUES(?, ?, ?)");
  for (std::size_t row = 0; row < corpus.time_ms.size(); ++row) {
    database.run("BEGIN");
    for (std::size_t series = 0; series < corpus.series.size(); ++series) {
      sqlite3_bind_int64(insert.get(), 1, static_cast<std::int64_t>(series));
      sqlite3_bind_int64(insert.get(), 2, corpus.time_ms[row]);
      sqlite3_bind_int64(insert.get(), 3, corpus.series[series].values[row]);
      if (sqlite3_step(insert.get()) != SQLITE_DONE) throw std::runtime_error("A sample was not stored.");
      sqlite3_reset(insert.get());
    }
    database.run("COMMIT");
  }
}

StoreFigures measure(const test::Corpus& corpus, const char* name, const char* schema) {
  StoreFigures figures{.name = name};
  const ScratchDirectory directory;
  const std::filesystem::path file = directory.path() / "naive.db";
  Database database(file);
  database.run(schema);
  const double before = thread_cpu_seconds();
  fill(database, corpus);
  figures.ingest_samples_per_s = static_cast<double>(corpus.samples()) / (thread_cpu_seconds() - before);
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  figures.data_bytes = figures.total_bytes = std::filesystem::file_size(file);

  const std::int64_t from = corpus.time_ms.front();
  const std::int64_t step = (corpus.time_ms.back() - from) / static_cast<std::int64_t>(kMaxPoints) + 1;
  const auto query = database.prepare(
      "SELECT (time - ?2) / ?3, min(value), max(value), avg(value) FROM sample WHERE series = ?1 GROUP BY 1");
  const auto ask = [&](std::size_t count) {
    for (const std::size_t series : series_to_query(corpus, count)) {
      sqlite3_bind_int64(query.get(), 1, static_cast<std::int64_t>(series));
      sqlite3_bind_int64(query.get(), 2, from);
      sqlite3_bind_int64(query.get(), 3, step);
      while (sqlite3_step(query.get()) == SQLITE_ROW) {
      }
      sqlite3_reset(query.get());
    }
  };
  figures.query_one_ms = best_milliseconds(5, [&] { ask(1); });
  figures.query_fifty_ms = best_milliseconds(3, [&] { ask(kManySeries); });
  return figures;
}

}  // namespace

StoreFigures measure_indexed_table(const test::Corpus& corpus) {
  return measure(corpus, "SQLite, rows and an index",
                 "CREATE TABLE sample(series INTEGER, time INTEGER, value INTEGER);"
                 "CREATE INDEX sample_by_series ON sample(series, time)");
}

StoreFigures measure_clustered_table(const test::Corpus& corpus) {
  return measure(
      corpus, "SQLite, WITHOUT ROWID",
      "CREATE TABLE sample(series INTEGER, time INTEGER, value INTEGER, PRIMARY KEY(series, time)) "
      "WITHOUT ROWID");
}

std::vector<std::size_t> series_to_query(const test::Corpus& corpus, std::size_t count) {
  std::vector<std::size_t> changing;
  for (std::size_t i = 0; i < corpus.series.size(); ++i) {
    if (corpus.series[i].changes()) changing.push_back(i);
  }
  if (changing.size() <= count) return changing;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < count; ++i)
    chosen.push_back(changing[(2 * i + 1) * changing.size() / (2 * count)]);
  return chosen;
}

}  // namespace countertop::bench
