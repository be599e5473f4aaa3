// RAII over SQLite: connection, statement, transaction. The only door to
// sqlite3.h for the rest of this room.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/bytes.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace countertop::history {

/// What SQLite said, as our Error: SQLITE_FULL and ENOSPC are no_space, a
/// damaged file is malformed, a lock busy.
[[nodiscard]] Error sqlite_error(sqlite3* connection, int code, std::string_view doing);

class StatementCache;

/// A prepared statement. Must not outlive its Database. Columns and views are
/// valid until the next step or reset.
class Statement {
 public:
  Statement() = default;
  Statement(sqlite3* connection, sqlite3_stmt* statement, StatementCache* cache = nullptr)
      : connection_(connection), statement_(statement, Release{cache}) {}

  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, double value);
  /// The bytes must live until the next reset.
  Statement& bind(int index, std::string_view text);
  Statement& bind_blob(int index, ByteView blob);
  Statement& bind_null(int index);

  /// True: there is a row. Resets by itself when done or failed.
  [[nodiscard]] Result<bool> step();
  /// For statements that give no rows: steps and resets.
  [[nodiscard]] Result<void> run();
  void reset();

  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] ByteView blob(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] sqlite3_stmt* handle() const { return statement_.get(); }

 private:
  struct Release {
    Release() : cache(nullptr) {}
    explicit Release(StatementCache* kept_in) : cache(kept_in) {}
    StatementCache* cache;  // null: the statement is not kept
    void operator()(sqlite3_stmt* statement) const;
  };
  sqlite3* connection_ = nullptr;
  std::unique_ptr<sqlite3_stmt, Release> statement_;
};

/// Statements that nobody uses at the moment, by their text: parsing SQL anew costs more than most of these
/// queries.
class StatementCache {
 public:
  StatementCache() = default;
  StatementCache(const StatementCache&) = delete;
  StatementCache& operator=(const StatementCache&) = delete;
  ~StatementCache();

  /// Null when there is none of this text.
  [[nodiscard]] sqlite3_stmt* take(std::string_view sql);
  void give_back(sqlite3_stmt* statement);

 private:
  std::vector<sqlite3_stmt*> idle_;  // oldest first
};

/// Deleter of a connection; one that was borrowed stays open.
struct CloseConnection {
  bool owned = true;
  void operator()(sqlite3* connection) const;
};

class Database {
 public:
  enum class Mode : std::uint8_t { create, read_write, read_only };

  Database() = default;
  /// One thread at a time. Waits up to 10 s for a lock. not_found when the file
  /// is missing and not to be created.
  [[nodiscard]] static Result<Database> open(const std::filesystem::path& file, Mode mode);
  /// Borrows a connection that somebody else closes (inside an SQLite
  /// extension).
  [[nodiscard]] static Database borrow(sqlite3* connection);

  [[nodiscard]] Result<void> execute(const std::string& sql);
  [[nodiscard]] Result<Statement> prepare(std::string_view sql);
  /// The single integer a query gives; nullopt for no row or NULL.
  [[nodiscard]] Result<std::optional<std::int64_t>> integer(std::string_view sql);

  [[nodiscard]] std::int64_t last_insert_id() const;
  [[nodiscard]] std::int64_t changes() const;
  [[nodiscard]] sqlite3* handle() const { return connection_.get(); }
  explicit operator bool() const { return connection_ != nullptr; }
  /// Closes now; statements must be gone.
  void close() {
    cache_.reset();
    connection_.reset();
  }

 private:
  std::unique_ptr<sqlite3, CloseConnection> connection_;
  std::unique_ptr<StatementCache> cache_;  // none for a borrowed connection; goes before the connection
};

/// Rolls back in the destructor unless committed. The Database must outlive it.
class Transaction {
 public:
  enum class Kind : std::uint8_t { read, write };

  [[nodiscard]] static Result<Transaction> begin(Database& database, Kind kind);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  [[nodiscard]] Result<void> commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace countertop::history
