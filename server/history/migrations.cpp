#include "server/history/migrations.hpp"

#include <span>
#include <string>

#include "collectors/core/embedded_file.hpp"

namespace countertop::embedded {
/// By version: 0001_initial.sql leads to version 1.
std::span<const EmbeddedFile> migrations();
}  // namespace countertop::embedded

namespace countertop::history {

namespace {

struct FileVersion {
  std::int64_t application_id = 0;
  std::int64_t schema = 0;
};

Result<FileVersion> read_version(Database& database) {
  FileVersion version;
  const auto application = database.integer("PRAGMA application_id");
  if (!application) return tl::unexpected<Error>(application.error());
  version.application_id = application->value_or(0);
  const auto schema = database.integer("PRAGMA user_version");
  if (!schema) return tl::unexpected<Error>(schema.error());
  version.schema = schema->value_or(0);
  return version;
}

Result<void> refuse_newer(const FileVersion& version) {
  if (version.schema <= newest_schema_version()) return {};
  return fail(ErrorCode::unavailable,
              "the data file has schema version " + std::to_string(version.schema) +
                  ", this program knows versions up to " + std::to_string(newest_schema_version()),
              "Use the newer program that wrote it, or choose another directory with --data DIR.");
}

Error foreign_file() {
  return Error{ErrorCode::invalid_argument, "the data file is an SQLite file of another program",
               "Choose another directory with --data DIR."};
}

}  // namespace

std::int64_t newest_schema_version() { return static_cast<std::int64_t>(embedded::migrations().size()); }

Result<void> migrate(Database& database) {
  const auto version = read_version(database);
  if (!version) return tl::unexpected<Error>(version.error());
  if (version->application_id != kApplicationId) {
    const auto tables = database.integer("SELECT count(*) FROM sqlite_schema");
    if (!tables) return tl::unexpected<Error>(tables.error());
    if (tables->value_or(0) != 0 || version->application_id != 0)
      return tl::unexpected<Error>(foreign_file());
  }
  if (const auto newer = refuse_newer(*version); !newer) return newer;
  for (std::int64_t next = version->schema; next < newest_schema_version(); ++next) {
    auto transaction = Transaction::begin(database, Transaction::Kind::write);
    if (!transaction) return tl::unexpected<Error>(transaction.error());
    const std::string sql = std::string(embedded::migrations()[static_cast<std::size_t>(next)].bytes) +
                            "\nPRAGMA application_id = " + std::to_string(kApplicationId) +
                            ";\nPRAGMA user_version = " + std::to_string(next + 1) + ";";
    if (const auto applied = database.execute(sql); !applied) return applied;
    if (const auto committed = transaction->commit(); !committed) return committed;
  }
  return {};
}

Result<void> check_schema(Database& database) {
  const auto version = read_version(database);
  if (!version) return tl::unexpected<Error>(version.error());
  if (version->application_id != kApplicationId) return tl::unexpected<Error>(foreign_file());
  if (const auto newer = refuse_newer(*version); !newer) return newer;
  if (version->schema < newest_schema_version())
    return fail(ErrorCode::unavailable,
                "the data file has schema version " + std::to_string(version->schema) +
                    ", this program reads " + std::to_string(newest_schema_version()),
                "Start `countertop serve` once: it brings the file up to date.");
  return {};
}

}  // namespace countertop::history
