// Plain SQL: samples() and the read-only command.
#include <sqlite3.h>

#include <catch_amalgamated.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/support/history_world.hpp"

namespace countertop::test {
namespace {

std::string sql(Recording& recording, const std::string& statement,
                history::SqlOutput format = history::SqlOutput::csv) {
  std::ostringstream output;
  const auto done = history::run_sql(recording.directory.path(), statement, output, format);
  if (!done) FAIL(done.error().message);
  return output.str();
}

ErrorCode refused(Recording& recording, const std::string& statement) {
  std::ostringstream output;
  const auto done = history::run_sql(recording.directory.path(), statement, output);
  REQUIRE_FALSE(done);
  return done.error().code;
}

TEST_CASE("samples() gives the values of a query as rows", "[history]") {
  Recording recording;
  recording.run(1500);
  recording.maintain();
  const auto values = cooked(recording.all, "disk", "vda", "reads/s");
  double sum = 0;
  for (const auto& [time, value] : values) sum += value;
  const std::string answer =
      sql(recording, "SELECT count(*) AS n, round(sum(value)) AS s FROM samples('disk(vda)/reads/s')");
  CHECK(answer == "n,s\n" + std::to_string(values.size()) + "," + std::to_string(std::llround(sum)) + ".0\n");
  const std::string from = std::to_string(kNoonMs / 1000 + 100);
  const std::string to = std::to_string(kNoonMs / 1000 + 200);
  const std::string bounded =
      "SELECT count(*) AS n FROM samples('disk(vda)/queue', " + from + ", " + to + ")";
  CHECK(sql(recording, bounded) == "n\n100\n");
  CHECK(sql(recording, "SELECT count(*) AS n FROM samples('disk(vda)/queue') WHERE time >= " + from +
                           " AND time < " + to) == "n\n100\n");
  CHECK(sql(recording, "SELECT DISTINCT path FROM samples('disk(*)/queue') ORDER BY 1") ==
        "path\ndisk(vda)/queue\ndisk(vdb)/queue\n");
  CHECK(sql(recording,
            "SELECT count(*) AS n FROM instance i, samples('disk(' || i.name || ')/queue') WHERE "
            "i.name='vdb'") == "n\n1500\n");
}

TEST_CASE("samples() follows the times of another table, stops at a limit and ends before it begins",
          "[history]") {
  Recording recording;
  recording.run(1500);
  const std::int64_t start_s = kNoonMs / 1000;
  const std::string both = std::to_string(start_s + 200) + ", " + std::to_string(start_s + 100);
  CHECK(sql(recording, "SELECT count(*) AS n FROM samples('disk(vda)/queue', " + both + ")") == "n\n0\n");
  CHECK(sql(recording, "SELECT count(*) AS n FROM (SELECT 1 FROM samples('disk(*)/queue') LIMIT 3)") ==
        "n\n3\n");
  recording.maintain();
  const std::string inner = "samples('disk(vda)/queue', i.first_ms/1000, i.last_ms/1000) WHERE i.name='vda'";
  const std::string forced = sql(recording, "SELECT count(*) AS n FROM instance i CROSS JOIN " + inner);
  CHECK(forced != "n\n0\n");
  CHECK(sql(recording, "SELECT count(*) AS n FROM instance i, " + inner) == forced);
}

TEST_CASE("Table-valued functions that only read may be used", "[history]") {
  Recording recording;
  recording.run(1);
  CHECK(sql(recording, "SELECT value FROM json_each('[1,2]')") == "value\n1\n2\n");
  CHECK(sql(recording, "SELECT count(*) > 3 AS n FROM pragma_table_info('tick')") == "n\n1\n");
  CHECK(refused(recording, "PRAGMA user_version=5") == ErrorCode::permission);
}

TEST_CASE("The command prints columns, CSV and JSON", "[history]") {
  Recording recording;
  recording.run(1);
  const char* const statement = "SELECT 1 AS a, 'x,\"y\"' AS b, NULL AS c, 2.5 AS d";
  CHECK(sql(recording, statement) == "a,b,c,d\n1,\"x,\"\"y\"\"\",,2.5\n");
  CHECK(sql(recording, statement, history::SqlOutput::json) ==
        "[\n {\"a\":1,\"b\":\"x,\\\"y\\\"\",\"c\":null,\"d\":2.5}\n]\n");
  CHECK(sql(recording, "SELECT 10 AS number, 'ab' AS text", history::SqlOutput::columns) ==
        "number  text\n    10  ab\n");
}

TEST_CASE("A long blob and a name with control characters keep their line", "[history]") {
  Recording recording;
  recording.run(1);
  const auto columns = history::SqlOutput::columns;
  CHECK(sql(recording, "SELECT zeroblob(1000) AS b", columns) ==
        "b\n" + std::string(48, '0') + "... (1000 bytes)\n");
  CHECK(sql(recording, "SELECT x'00ff' AS b", columns) == "b\n00ff\n");
  CHECK(sql(recording, "SELECT zeroblob(100) AS b") == "b\n" + std::string(200, '0') + "\n");
  CHECK(sql(recording, "SELECT 'a' || char(27) || '[2J' || char(10) AS t", columns) == "t\na\\x1b[2J\\x0a\n");
  CHECK(sql(recording, "SELECT 'é' AS t, 1 AS n UNION ALL SELECT 'ab', 2 ORDER BY n", columns) ==
        "t   n\né   1\nab  2\n");
  CHECK(sql(recording, "SELECT CAST(x'61ff' AS TEXT) AS t", history::SqlOutput::json) ==
        "[\n {\"t\":\"a\xef\xbf\xbd\"}\n]\n");
}

TEST_CASE("A comment may stand before and behind the statement", "[history]") {
  Recording recording;
  recording.run(1);
  for (const char* statement :
       {"SELECT 1 AS n -- one", "SELECT 1 AS n; -- one", "SELECT 1 AS n; /* one */ ;\n",
        "/* one */ SELECT 1 AS n", "-- one\nSELECT 1 AS n"}) {
    INFO(statement);
    CHECK(sql(recording, statement) == "n\n1\n");
  }
  CHECK(refused(recording, "SELECT 1; -- one\nDELETE FROM tick") == ErrorCode::invalid_argument);
  CHECK(refused(recording, "-- nothing") == ErrorCode::invalid_argument);
}

TEST_CASE("Whatever would change something is refused", "[history]") {
  Recording recording;
  recording.run(1);
  for (const char* statement :
       {"DELETE FROM tick", "ATTACH '/tmp/x.db' AS x", "PRAGMA journal_mode=DELETE", "CREATE TABLE t(x)",
        "UPDATE mark SET text=''", "VACUUM INTO '/tmp/x.db'", "SELECT load_extension('x')", "BEGIN"}) {
    INFO(statement);
    CHECK(refused(recording, statement) == ErrorCode::permission);
  }
  CHECK(refused(recording, "SELEC 1") == ErrorCode::invalid_argument);
  CHECK(refused(recording, "SELECT 1; SELECT 2") == ErrorCode::invalid_argument);
  CHECK(refused(recording, "SELECT * FROM samples('no such')") == ErrorCode::invalid_argument);
  std::ostringstream output;
  TempDirectory empty;
  const auto nothing = history::run_sql(empty.path(), "SELECT 1", output);
  REQUIRE_FALSE(nothing);
  CHECK(nothing.error().code == ErrorCode::not_found);
}

TEST_CASE("A file that is not the program's is named as what it is", "[history]") {
  TempDirectory directory;
  std::ostringstream output;
  const std::filesystem::path file = directory.path() / "history.db";
  sqlite3* connection = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &connection) == SQLITE_OK);
  REQUIRE(sqlite3_exec(connection, "CREATE TABLE t(x)", nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(connection);
  const auto foreign = history::run_sql(directory.path(), "SELECT 1", output);
  REQUIRE_FALSE(foreign);
  CHECK(foreign.error().message.find("another program") != std::string::npos);
  std::ofstream(file, std::ios::trunc) << "This is a letter, and no database, whatever its name may say.\n";
  const auto letter = history::run_sql(directory.path(), "SELECT 1", output);
  REQUIRE_FALSE(letter);
  CHECK(letter.error().code == ErrorCode::malformed);
  CHECK(letter.error().message.find("not a database") != std::string::npos);
  CHECK_FALSE(letter.error().fix.empty());
}

TEST_CASE("The extension serves a plain SQLite connection", "[history]") {
  Recording recording;
  recording.run(50);
  sqlite3* connection = nullptr;
  REQUIRE(sqlite3_open(recording.directory.database().c_str(), &connection) == SQLITE_OK);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, nullptr);
  char* error = nullptr;
  const int loaded = sqlite3_load_extension(connection, COUNTERTOP_SQLITE_EXTENSION_FILE, nullptr, &error);
  INFO((error == nullptr ? "" : error));
  REQUIRE(loaded == SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  REQUIRE(sqlite3_prepare_v2(connection, "SELECT count(*) FROM samples('disk(vda)/queue')", -1, &statement,
                             nullptr) == SQLITE_OK);
  REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
  CHECK(sqlite3_column_int(statement, 0) == 50);
  sqlite3_finalize(statement);
  sqlite3_close(connection);
}

}  // namespace
}  // namespace countertop::test
