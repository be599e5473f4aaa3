#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "server/history/history_reader.hpp"
#include "server/history/history_writer.hpp"
#include "server/history/migrations.hpp"
#include "server/history/samples_table.hpp"
#include "server/history/store_file.hpp"

namespace countertop::history {

namespace {

/// Columns get as wide as the widest value among this many rows.
constexpr std::size_t kRowsForWidths = 200;

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

struct Cell {
  int type = SQLITE_NULL;
  std::string text;
};
using Row = std::vector<Cell>;

std::string text_of(sqlite3_stmt* statement, int column) {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
}

std::string hex(const std::string& bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

Cell cell_of(sqlite3_stmt* statement, int column) {
  Cell cell;
  cell.type = sqlite3_column_type(statement, column);
  if (cell.type == SQLITE_BLOB) {
    const auto* data = static_cast<const char*>(sqlite3_column_blob(statement, column));
    cell.text = hex(std::string(data == nullptr ? "" : data,
                                static_cast<std::size_t>(sqlite3_column_bytes(statement, column))));
  } else {
    cell.text = text_of(statement, column);
  }
  return cell;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string json_string(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      json += "\\u00" + hex(std::string(1, c));
    } else {
      json += c;
    }
  }
  return json + "\"";
}

std::string json_value(const Cell& cell) {
  if (cell.type == SQLITE_NULL) return "null";
  if (cell.type == SQLITE_INTEGER) return cell.text;
  if (cell.type == SQLITE_FLOAT)
    return cell.text.find_first_of("nN") == std::string::npos ? cell.text : "null";
  return json_string(cell.text);
}

class Printer {
 public:
  Printer(std::ostream& output, SqlOutput format, std::vector<std::string> names)
      : output_(output), format_(format), names_(std::move(names)) {}

  void row(Row row) {
    if (format_ != SqlOutput::columns) {
      print(row);
    } else if (is_flushed_) {
      print_columns(row);
    } else {
      waiting_.push_back(std::move(row));
      if (waiting_.size() >= kRowsForWidths) flush();
    }
  }

  void finish() {
    if (format_ == SqlOutput::columns) flush();
    if (format_ == SqlOutput::csv && count_ == 0) print_csv_header();
    if (format_ == SqlOutput::json) output_ << (count_ == 0 ? "[]\n" : "\n]\n");
    output_.flush();
  }

 private:
  void print_csv_header() {
    for (std::size_t i = 0; i < names_.size(); ++i) output_ << (i == 0 ? "" : ",") << csv_field(names_[i]);
    output_ << '\n';
  }

  void print(const Row& row) {
    const bool is_first = count_++ == 0;
    if (format_ == SqlOutput::csv) {
      if (is_first) print_csv_header();
      for (std::size_t i = 0; i < row.size(); ++i) output_ << (i == 0 ? "" : ",") << csv_field(row[i].text);
      output_ << '\n';
      return;
    }
    output_ << (is_first ? "[\n " : ",\n ");
    for (std::size_t i = 0; i < row.size(); ++i)
      output_ << (i == 0 ? "{" : ",") << json_string(names_[i]) << ":" << json_value(row[i]);
    output_ << "}";
  }

  void flush() {
    if (is_flushed_) return;
    is_flushed_ = true;
    for (const std::string& name : names_) widths_.push_back(name.size());
    for (const Row& row : waiting_)
      for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], row[i].text.size());
    Row header;
    for (const std::string& name : names_) header.push_back(Cell{SQLITE_TEXT, name});
    print_columns(header);
    for (const Row& row : waiting_) print_columns(row);
    waiting_.clear();
  }

  void print_columns(const Row& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths_[i] > row[i].text.size() ? widths_[i] - row[i].text.size() : 0, ' ');
      const bool is_number = row[i].type == SQLITE_INTEGER || row[i].type == SQLITE_FLOAT;
      if (i != 0) output_ << "  ";
      if (is_number) output_ << padding;
      output_ << row[i].text;
      if (!is_number && i + 1 < row.size()) output_ << padding;
    }
    output_ << '\n';
  }

  std::ostream& output_;
  SqlOutput format_;
  std::vector<std::string> names_;
  std::vector<Row> waiting_;
  std::vector<std::size_t> widths_;
  bool is_flushed_ = false;
  std::size_t count_ = 0;
};

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
  if (rest != nullptr && std::string_view(rest).find_first_not_of(" \t\r\n;") != std::string_view::npos)
    return fail(ErrorCode::invalid_argument, "only one statement at a time");
  std::vector<std::string> names;
  for (int i = 0; i < sqlite3_column_count(raw); ++i) names.emplace_back(sqlite3_column_name(raw, i));
  Printer printer(output, format, std::move(names));
  for (;;) {
    const int code = sqlite3_step(raw);
    if (code == SQLITE_DONE) break;
    if (code != SQLITE_ROW) return tl::unexpected<Error>(sql_error(connection, code));
    Row row;
    for (int i = 0; i < sqlite3_column_count(raw); ++i) row.push_back(cell_of(raw, i));
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
