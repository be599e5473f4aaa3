#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "server/history/history_reader.hpp"
#include "server/history/history_writer.hpp"
#include "server/history/migrations.hpp"
#include "server/history/samples_table.hpp"
#include "server/history/sql_printer.hpp"
#include "server/history/store_file.hpp"

namespace countertop::history {

namespace {

bool is_harmless_pragma(std::string_view name) {
  static constexpr std::array<std::string_view, 11> kNames{
      "table_info", "table_xinfo", "table_list",     "index_list",  "index_info",     "user_version",
      "page_count", "page_size",   "freelist_count", "quick_check", "integrity_check"};
  return std::ranges::find(kNames, name) != kNames.end();
}

/// Reading only: everything else is refused while the statement is compiled.
int authorize(void*, int action, const char* first, const char* second, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return second != nullptr && std::strcmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
      return first != nullptr && is_harmless_pragma(first) ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

SqlCell cell_of(sqlite3_stmt* statement, int column, SqlOutput format) {
  SqlCell cell;
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
      return cell;
    case SQLITE_INTEGER:
      cell.type = SqlCell::Type::integer;
      break;
    case SQLITE_FLOAT:
      cell.type = SqlCell::Type::real;
      break;
    case SQLITE_BLOB: {
      const auto* data = static_cast<const char*>(sqlite3_column_blob(statement, column));
      const int bytes = sqlite3_column_bytes(statement, column);
      cell.type = SqlCell::Type::blob;
      cell.text = blob_text({data == nullptr ? "" : data, static_cast<std::size_t>(bytes)}, format);
      return cell;
    }
    default:
      cell.type = SqlCell::Type::text;
  }
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  if (data != nullptr)
    cell.text.assign(data, static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
  return cell;
}

Error sql_error(sqlite3* connection, int code) {
  Error error = sqlite_error(connection, code, "SQL");
  const int primary = code & 0xff;
  // A function that the authorizer denies is an ordinary error with this text.
  const bool is_denied_function = error.message.find("not authorized") != std::string::npos;
  if (primary == SQLITE_AUTH || primary == SQLITE_READONLY || is_denied_function)
    return Error{ErrorCode::permission, "this statement would change something: only reading is allowed",
                 "Use SELECT; copy the data file to change the copy.", 0};
  if (primary == SQLITE_ERROR || primary == SQLITE_RANGE) error.code = ErrorCode::invalid_argument;
  return error;
}

/// Spaces, semicolons and comments may follow the statement.
Result<void> expect_no_more(sqlite3* connection, const char* rest) {
  while (rest != nullptr && *rest != '\0') {
    sqlite3_stmt* raw = nullptr;
    const char* after = nullptr;
    const int prepared = sqlite3_prepare_v2(connection, rest, -1, &raw, &after);
    const Statement owner(connection, raw);
    if (prepared != SQLITE_OK || raw != nullptr)
      return fail(ErrorCode::invalid_argument, "only one statement at a time");
    rest = after;
  }
  return {};
}

Result<void> run_statement(Database& database, const std::string& sql, std::ostream& output,
                           SqlOutput format) {
  sqlite3* const connection = database.handle();
  sqlite3_stmt* raw = nullptr;
  const char* rest = nullptr;
  const int prepared =
      sqlite3_prepare_v2(connection, sql.c_str(), static_cast<int>(sql.size()) + 1, &raw, &rest);
  const Statement owner(connection, raw);
  if (prepared != SQLITE_OK) return tl::unexpected<Error>(sql_error(connection, prepared));
  if (raw == nullptr) return fail(ErrorCode::invalid_argument, "there is no SQL statement");
  if (const auto alone = expect_no_more(connection, rest); !alone) return alone;
  std::vector<std::string> names;
  for (int i = 0; i < sqlite3_column_count(raw); ++i) names.emplace_back(sqlite3_column_name(raw, i));
  SqlPrinter printer(output, format, std::move(names));
  for (;;) {
    const int code = sqlite3_step(raw);
    if (code == SQLITE_DONE) break;
    if (code != SQLITE_ROW) return tl::unexpected<Error>(sql_error(connection, code));
    std::vector<SqlCell> row;
    for (int i = 0; i < sqlite3_column_count(raw); ++i) row.push_back(cell_of(raw, i, format));
    printer.row(std::move(row));
    if (!output) return fail(ErrorCode::io, "the output cannot be written");
  }
  printer.finish();
  return {};
}

}  // namespace

Result<void> run_sql(const std::filesystem::path& directory, const std::string& sql, std::ostream& output,
                     SqlOutput format) {
  const std::filesystem::path file = directory / kDatabaseFileName;
  auto database = open_configured(file, Database::Mode::read_only);
  if (!database) {
    if (database.error().code == ErrorCode::not_found)
      return fail(ErrorCode::not_found, "there is no history in " + directory.string(),
                  "Start `countertop serve` first, or name another directory with --data DIR.");
    if (database.error().code == ErrorCode::malformed)
      return fail(ErrorCode::malformed,
                  file.string() + " is damaged or no data file: " + database.error().message,
                  "Name another directory with --data DIR; `countertop serve` sets a damaged file aside.");
    return tl::unexpected<Error>(database.error());
  }
  if (const auto known = check_schema(*database); !known) return known;
  if (const int code = register_samples(database->handle()); code != SQLITE_OK)
    return tl::unexpected<Error>(sqlite_error(database->handle(), code, "samples()"));
  // SQLite sets a table-valued function up at its first use, by a CREATE TABLE that the authorizer would
  // deny.
  for (const char* use :
       {"SELECT value FROM samples('')", "SELECT value FROM json_each('[]')",
        "SELECT value FROM json_tree('[]')", "SELECT name FROM pragma_table_info('tick')"}) {
    if (const auto set_up = database->prepare(use); !set_up) return tl::unexpected<Error>(set_up.error());
  }
  sqlite3_set_authorizer(database->handle(), authorize, nullptr);
  return run_statement(*database, sql, output, format);
}

}  // namespace countertop::history
