#include "server/history/database.hpp"

#include <cerrno>
#include <iterator>
#include <optional>
#include <utility>

#include "server/history/sqlite_api.hpp"

namespace countertop::history {

namespace {

constexpr int kBusyTimeoutMs = 10'000;
constexpr std::size_t kKeptStatements = 32;

ErrorCode code_of(int primary, int os_code) {
  if (os_code == ENOSPC || os_code == EDQUOT) return ErrorCode::no_space;
  switch (primary) {
    case SQLITE_FULL:
      return ErrorCode::no_space;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return ErrorCode::malformed;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return ErrorCode::busy;
    case SQLITE_INTERRUPT:
    case SQLITE_ABORT:
      return ErrorCode::cancelled;
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_READONLY:
      return ErrorCode::permission;
    case SQLITE_TOOBIG:
      return ErrorCode::too_large;
    case SQLITE_CANTOPEN:
      return os_code == ENOENT ? ErrorCode::not_found : ErrorCode::io;
    case SQLITE_IOERR:
      return ErrorCode::io;
    case SQLITE_ERROR:
    case SQLITE_RANGE:
      return ErrorCode::invalid_argument;
    default:
      return ErrorCode::internal;
  }
}

}  // namespace

Error sqlite_error(sqlite3* connection, int code, std::string_view doing) {
  const int primary = code & 0xff;
  const bool os_refused = primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_FULL;
  const int os_code = connection != nullptr && os_refused ? sqlite3_system_errno(connection) : 0;
  Error error;
  error.code = code_of(primary, os_code);
  error.os_code = os_code;
  error.message =
      std::string(doing) + ": " + (connection != nullptr ? sqlite3_errmsg(connection) : sqlite3_errstr(code));
  if (error.code == ErrorCode::no_space)
    error.fix = "Free some space on the disk that holds the data directory.";
  return error;
}

void Statement::Release::operator()(sqlite3_stmt* statement) const {
  if (cache != nullptr)
    cache->give_back(statement);
  else
    sqlite3_finalize(statement);
}

StatementCache::~StatementCache() {
  for (sqlite3_stmt* const statement : idle_) sqlite3_finalize(statement);
}

sqlite3_stmt* StatementCache::take(std::string_view sql) {
  for (auto found = idle_.rbegin(); found != idle_.rend(); ++found) {
    sqlite3_stmt* const statement = *found;
    if (sql != sqlite3_sql(statement)) continue;
    idle_.erase(std::next(found).base());
    return statement;
  }
  return nullptr;
}

void StatementCache::give_back(sqlite3_stmt* statement) {
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  if (idle_.size() >= kKeptStatements) {
    sqlite3_finalize(idle_.front());
    idle_.erase(idle_.begin());
  }
  idle_.push_back(statement);
}

Statement& Statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), index, value);
  return *this;
}

Statement& Statement::bind(int index, double value) {
  sqlite3_bind_double(statement_.get(), index, value);
  return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
  // A null pointer would bind NULL; an empty text is not NULL.
  const char* data = text.data() != nullptr ? text.data() : "";
  sqlite3_bind_text64(statement_.get(), index, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind_blob(int index, ByteView blob) {
  if (blob.empty())
    sqlite3_bind_zeroblob(statement_.get(), index, 0);
  else
    sqlite3_bind_blob64(statement_.get(), index, blob.data(), blob.size(), SQLITE_STATIC);
  return *this;
}

Statement& Statement::bind_null(int index) {
  sqlite3_bind_null(statement_.get(), index);
  return *this;
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    reset();
    return false;
  }
  Error error = sqlite_error(connection_, code, "history");
  reset();
  return tl::unexpected<Error>(std::move(error));
}

Result<void> Statement::run() {
  const Result<bool> stepped = step();
  if (!stepped) return tl::unexpected<Error>(stepped.error());
  reset();
  return {};
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string_view Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

ByteView Statement::blob(int column) const {
  const auto* data = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_.get(), column));
  if (data == nullptr) return {};
  return ByteView(data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

void CloseConnection::operator()(sqlite3* connection) const {
  if (owned) sqlite3_close_v2(connection);
}

Result<Database> Database::open(const std::filesystem::path& file, Mode mode) {
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  switch (mode) {
    case Mode::create:
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
      break;
    case Mode::read_write:
      flags |= SQLITE_OPEN_READWRITE;
      break;
    case Mode::read_only:
      flags |= SQLITE_OPEN_READONLY;
      break;
  }
  const auto name = file.u8string();  // SQLite takes UTF-8 on every system
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(reinterpret_cast<const char*>(name.c_str()), &connection, flags, nullptr);
  Database database;
  database.connection_.reset(connection);
  if (code != SQLITE_OK) {
    Error error = sqlite_error(connection, code, "cannot open " + file.string());
    std::error_code ignored;
    if (mode != Mode::create && !std::filesystem::exists(file, ignored)) error.code = ErrorCode::not_found;
    return tl::unexpected<Error>(std::move(error));
  }
  sqlite3_busy_timeout(connection, kBusyTimeoutMs);
  // Our own file is outside input: no surprises from its schema, and no
  // extension from SQL.
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  database.cache_ = std::make_unique<StatementCache>();
  return database;
}

Database Database::borrow(sqlite3* connection) {
  Database database;
  database.connection_ = std::unique_ptr<sqlite3, CloseConnection>(connection, CloseConnection{false});
  return database;
}

Result<void> Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return tl::unexpected<Error>(sqlite_error(connection_.get(), code, "history"));
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
  if (cache_ != nullptr) {
    if (sqlite3_stmt* const kept = cache_->take(sql); kept != nullptr)
      return Statement(connection_.get(), kept, cache_.get());
  }
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(connection_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return tl::unexpected<Error>(sqlite_error(connection_.get(), code, "history"));
  return Statement(connection_.get(), statement, cache_.get());
}

Result<std::optional<std::int64_t>> Database::integer(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return tl::unexpected<Error>(statement.error());
  const auto row = statement->step();
  if (!row) return tl::unexpected<Error>(row.error());
  if (!*row || statement->is_null(0)) return std::optional<std::int64_t>{};
  return std::optional<std::int64_t>{statement->integer(0)};
}

std::int64_t Database::last_insert_id() const { return sqlite3_last_insert_rowid(connection_.get()); }

std::int64_t Database::changes() const { return sqlite3_changes64(connection_.get()); }

Result<Transaction> Transaction::begin(Database& database, Kind kind) {
  // A read transaction takes its view of the file at the first statement inside
  // it.
  auto begin = database.prepare(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
  if (!begin) return tl::unexpected<Error>(begin.error());
  const auto begun = begin->run();
  if (!begun) return tl::unexpected<Error>(begun.error());
  return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}

Transaction::~Transaction() {
  // SQLite has rolled back by itself after some errors; then this is a harmless
  // error.
  if (database_ != nullptr) (void)database_->execute("ROLLBACK");
}

Result<void> Transaction::commit() {
  auto commit = database_->prepare("COMMIT");
  if (!commit) return tl::unexpected<Error>(commit.error());
  auto committed = commit->run();
  if (committed) database_ = nullptr;
  return committed;
}

}  // namespace countertop::history
