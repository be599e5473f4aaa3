#include "server/history/reader_session.hpp"

#include <utility>

#include "server/history/file_identity.hpp"
#include "server/history/history_writer.hpp"
#include "server/history/migrations.hpp"
#include "server/history/store_file.hpp"

namespace countertop::history {

namespace {

constexpr const char* kMarkColumns = "SELECT id, wall_ms, until_ms, kind, text FROM mark ";

Result<std::vector<query::StoredMark>> read_marks(Statement& select) {
  std::vector<query::StoredMark> marks;
  for (;;) {
    const auto row = select.step();
    if (!row) return tl::unexpected<Error>(row.error());
    if (!*row) return marks;
    const auto kind = mark_kind_from(select.text(3));
    if (!kind) continue;  // of a newer program
    query::StoredMark stored;
    stored.id = select.integer(0);
    stored.mark = Mark{select.integer(1), *kind, std::string(select.text(4)), select.integer(2)};
    marks.push_back(std::move(stored));
  }
}

}  // namespace

Result<void> ReaderSession::connect() {
  const std::filesystem::path file = directory_ / kDatabaseFileName;
  const std::uint64_t identity = file_identity(file);
  if (identity == 0)
    return fail(ErrorCode::not_found, "there is no history in " + directory_.string(),
                "Start `countertop serve` first, or name another directory with --data DIR.");
  if (database_ && identity == file_) return {};
  catalog_.clear();
  database_ = Database();
  auto opened = open_configured(file, Database::Mode::read_only);
  if (!opened) return tl::unexpected<Error>(opened.error());
  if (const auto known = check_schema(*opened); !known) return known;
  database_ = std::move(*opened);
  file_ = identity;
  return {};
}

Result<Transaction> ReaderSession::begin() {
  if (const auto connected = connect(); !connected) return tl::unexpected<Error>(connected.error());
  auto transaction = Transaction::begin(database_, Transaction::Kind::read);
  if (!transaction) return transaction;
  if (const auto fresh = catalog_.refresh(database_); !fresh) return tl::unexpected<Error>(fresh.error());
  return transaction;
}

Result<std::vector<query::StoredMark>> ReaderSession::marks(query::TimeRange range) {
  auto select = database_.prepare(std::string(kMarkColumns) +
                                  "WHERE wall_ms<?2 AND (wall_ms>=?1 OR until_ms>?1) ORDER BY wall_ms, id");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, range.from_ms).bind(2, range.to_ms);
  return read_marks(*select);
}

Result<std::vector<Mark>> ReaderSession::marks_for_gaps(query::TimeRange range) {
  auto select = database_.prepare(std::string(kMarkColumns) +
                                  "WHERE wall_ms<?2 AND (wall_ms>=?1 OR until_ms>?1 OR id IN "
                                  "(SELECT id FROM mark WHERE wall_ms<?1 ORDER BY wall_ms DESC LIMIT 20)) "
                                  "ORDER BY wall_ms, id");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, range.from_ms).bind(2, range.to_ms);
  auto stored = read_marks(*select);
  if (!stored) return tl::unexpected<Error>(stored.error());
  std::vector<Mark> marks;
  marks.reserve(stored->size());
  for (query::StoredMark& one : *stored) marks.push_back(std::move(one.mark));
  return marks;
}

}  // namespace countertop::history
