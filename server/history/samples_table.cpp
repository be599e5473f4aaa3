#include "server/history/samples_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "server/history/catalog.hpp"
#include "server/history/row_stream.hpp"
#include "server/history/sqlite_api.hpp"
#include "server/query/counter_path.hpp"

namespace countertop::history {

namespace {

enum Column : int { kTime, kValue, kPath, kFrom, kTo, kColumns };

/// What a query gives, as bits of idxNum; its arguments follow in this order. The last two are bounds on
/// `time`.
enum Argument : int { kArgPath = 1, kArgFrom = 2, kArgTo = 4, kArgTimeFrom = 8, kArgTimeTo = 16 };

// SQLite hands these back as pointers to their first member.
struct Table {
  sqlite3_vtab base{};
  sqlite3* connection = nullptr;
};

struct Cursor {
  sqlite3_vtab_cursor base{};
  Catalog catalog;
  std::optional<RowStream> stream;
  query::Answer window;
  std::size_t series = 0, row = 0;
  double from_s = 0, to_s = 0;
  std::int64_t rowid = 0;
  bool at_end = true;
};

Table& table_of(sqlite3_vtab* base) { return *reinterpret_cast<Table*>(base); }
Cursor& cursor_of(sqlite3_vtab_cursor* base) { return *reinterpret_cast<Cursor*>(base); }

int report(sqlite3_vtab* table, const Error& error) {
  sqlite3_free(table->zErrMsg);
  table->zErrMsg = sqlite3_mprintf("%s", error.message.c_str());
  return SQLITE_ERROR;
}

int connect(sqlite3* connection, void*, int, const char* const*, sqlite3_vtab** out, char**) {
  const int code = sqlite3_declare_vtab(
      connection,
      "CREATE TABLE x(time REAL, value REAL, path TEXT HIDDEN, \"from\" REAL HIDDEN, \"to\" REAL HIDDEN)");
  if (code != SQLITE_OK) return code;
  auto* const table = new (std::nothrow) Table;
  if (table == nullptr) return SQLITE_NOMEM;
  table->connection = connection;
  *out = &table->base;
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* base) {
  delete &table_of(base);
  return SQLITE_OK;
}

/// Which bit a usable constraint stands for; 0 for one that SQLite has to check itself.
int argument_of(int column, int op) {
  const bool equal = op == SQLITE_INDEX_CONSTRAINT_EQ;
  if (column == kPath && equal) return kArgPath;
  if (column == kFrom && equal) return kArgFrom;
  if (column == kTo && equal) return kArgTo;
  if (column != kTime) return 0;
  if (op == SQLITE_INDEX_CONSTRAINT_GE || op == SQLITE_INDEX_CONSTRAINT_GT) return kArgTimeFrom;
  if (op == SQLITE_INDEX_CONSTRAINT_LE || op == SQLITE_INDEX_CONSTRAINT_LT) return kArgTimeTo;
  return 0;
}

int best_index(sqlite3_vtab* base, sqlite3_index_info* info) {
  std::array<int, 5> found{-1, -1, -1, -1, -1};
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& constraint = info->aConstraint[i];
    const int argument = argument_of(constraint.iColumn, constraint.op);
    if (argument == 0) continue;
    if (constraint.usable == 0) {
      // Another join order gives the arguments first; in this one they would compare with the defaults.
      if ((argument & (kArgPath | kArgFrom | kArgTo)) != 0) return SQLITE_CONSTRAINT;
      continue;
    }
    for (int bit = 0; bit < 5; ++bit) {
      if (argument == 1 << bit && found[static_cast<std::size_t>(bit)] < 0)
        found[static_cast<std::size_t>(bit)] = i;
    }
  }
  if (found[0] < 0) {
    base->zErrMsg = sqlite3_mprintf("samples() needs a path: samples('cpu(total)/busy')");
    return SQLITE_ERROR;
  }
  int next = 0;
  for (std::size_t bit = 0; bit < found.size(); ++bit) {
    if (found[bit] < 0) continue;
    auto& usage = info->aConstraintUsage[found[bit]];
    usage.argvIndex = ++next;
    usage.omit = bit < 3 ? 1 : 0;
    info->idxNum |= 1 << bit;
  }
  const bool is_bounded = found[1] >= 0 || found[3] >= 0;
  info->estimatedCost = is_bounded ? 1e4 : 1e6;
  info->estimatedRows = is_bounded ? 3600 : 1'000'000;
  return SQLITE_OK;
}

int open(sqlite3_vtab*, sqlite3_vtab_cursor** out) {
  auto* const cursor = new (std::nothrow) Cursor;
  if (cursor == nullptr) return SQLITE_NOMEM;
  *out = &cursor->base;
  return SQLITE_OK;
}

int close(sqlite3_vtab_cursor* base) {
  delete &cursor_of(base);
  return SQLITE_OK;
}

/// Moves on to the next value, over windows without any.
Result<void> advance(Cursor& cursor, sqlite3* connection) {
  Database database = Database::borrow(connection);
  for (;;) {
    while (cursor.series < cursor.window.series.size()) {
      const auto& column = cursor.window.series[cursor.series].columns.front();
      while (cursor.row < column.size() && std::isnan(column[cursor.row])) ++cursor.row;
      if (cursor.row < column.size()) return {};
      ++cursor.series;
      cursor.row = 0;
    }
    auto next = cursor.stream->next(database, {}, {});
    if (!next) return tl::unexpected<Error>(next.error());
    if (!*next) {
      cursor.at_end = true;
      return {};
    }
    cursor.window = std::move(**next);
    cursor.series = cursor.row = 0;
  }
}

std::int64_t to_ms(double seconds) {
  constexpr double kLimit = 9e15;
  return static_cast<std::int64_t>(std::clamp(std::floor(seconds * 1000), -kLimit, kLimit));
}

Result<void> start(Cursor& cursor, sqlite3* connection, int arguments, sqlite3_value** values) {
  cursor.at_end = true;
  cursor.window = query::Answer();
  cursor.series = cursor.row = 0;
  cursor.rowid = 0;
  int next = 0;
  const auto* const text = reinterpret_cast<const char*>(sqlite3_value_text(values[next]));
  if (text == nullptr) return {};  // samples(NULL) has no rows
  auto path = query::parse_counter_path(
      std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(values[next++]))));
  if (!path) return tl::unexpected<Error>(path.error());
  query::Request request;
  request.series.push_back(std::move(*path));
  const auto bound = [&](int bit, double missing) {
    if ((arguments & bit) == 0) return missing;
    sqlite3_value* const value = values[next++];
    return sqlite3_value_type(value) == SQLITE_NULL ? missing : sqlite3_value_double(value);
  };
  cursor.from_s = bound(kArgFrom, 0);
  cursor.to_s = bound(kArgTo, std::numeric_limits<double>::max());
  const double time_from_s = bound(kArgTimeFrom, 0);
  const double time_to_s = bound(kArgTimeTo, std::numeric_limits<double>::max());
  request.range = {
      to_ms(std::max(cursor.from_s, time_from_s)),
      std::min(to_ms(cursor.to_s), to_ms(time_to_s) + 2)};  // SQLite checks bounds on `time` exactly
  Database database = Database::borrow(connection);
  if (const auto fresh = cursor.catalog.refresh(database); !fresh) return fresh;
  auto stream = RowStream::open(cursor.catalog, request);
  if (!stream) return tl::unexpected<Error>(stream.error());
  cursor.stream.emplace(std::move(*stream));
  cursor.at_end = false;
  return advance(cursor, connection);
}

/// What SQLite calls is C: no exception may leave it.
template <typename Work>
int guarded(sqlite3_vtab* table, Work work) noexcept {
  try {
    const Result<void> done = work();
    return done ? SQLITE_OK : report(table, done.error());
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (...) {
    return SQLITE_INTERNAL;
  }
}

int filter(sqlite3_vtab_cursor* base, int arguments, const char*, int, sqlite3_value** values) {
  Cursor& cursor = cursor_of(base);
  return guarded(base->pVtab,
                 [&] { return start(cursor, table_of(base->pVtab).connection, arguments, values); });
}

int next_row(sqlite3_vtab_cursor* base) {
  Cursor& cursor = cursor_of(base);
  ++cursor.row;
  ++cursor.rowid;
  return guarded(base->pVtab, [&] { return advance(cursor, table_of(base->pVtab).connection); });
}

int at_end(sqlite3_vtab_cursor* base) { return cursor_of(base).at_end ? 1 : 0; }

int column(sqlite3_vtab_cursor* base, sqlite3_context* context, int index) {
  const Cursor& cursor = cursor_of(base);
  const query::SeriesAnswer& series = cursor.window.series[cursor.series];
  switch (index) {
    case kTime:
      sqlite3_result_double(context, static_cast<double>(cursor.window.time_ms[cursor.row]) / 1000);
      break;
    case kValue:
      sqlite3_result_double(context, series.columns.front()[cursor.row]);
      break;
    case kPath:
      sqlite3_result_text(context, series.path.c_str(), static_cast<int>(series.path.size()),
                          SQLITE_TRANSIENT);
      break;
    default:
      sqlite3_result_double(context, index == kFrom ? cursor.from_s : cursor.to_s);
  }
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  *out = cursor_of(base).rowid;
  return SQLITE_OK;
}

sqlite3_module make_module() {
  sqlite3_module module{};
  module.xConnect = connect;  // without xCreate: usable by name only, never as a table in the file
  module.xBestIndex = best_index;
  module.xDisconnect = disconnect;
  module.xOpen = open;
  module.xClose = close;
  module.xFilter = filter;
  module.xNext = next_row;
  module.xEof = at_end;
  module.xColumn = column;
  module.xRowid = row_id;
  return module;
}

}  // namespace

int register_samples(sqlite3* connection) {
  static const sqlite3_module kModule = make_module();
  return sqlite3_create_module(connection, "samples", &kModule, nullptr);
}

}  // namespace countertop::history
