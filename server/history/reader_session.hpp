// A reader's connection: opened read-only, opened again when the file was replaced, short read transactions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/catalog.hpp"
#include "server/history/database.hpp"
#include "server/query/model.hpp"

namespace countertop::history {

class ReaderSession {
 public:
  explicit ReaderSession(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// Makes sure that the connection is one to the present file.
  [[nodiscard]] Result<void> connect();
  /// Begins a read transaction; the catalog is fresh in it.
  [[nodiscard]] Result<Transaction> begin();

  [[nodiscard]] Database& database() { return database_; }
  [[nodiscard]] Catalog& catalog() { return catalog_; }

  /// Marks for explaining gaps: those of the range and the last ones of their kinds before it.
  [[nodiscard]] Result<std::vector<Mark>> marks_for_gaps(query::TimeRange range);
  [[nodiscard]] Result<std::vector<query::StoredMark>> marks(query::TimeRange range);

 private:
  std::filesystem::path directory_;
  Database database_;
  Catalog catalog_;
  std::uint64_t file_ = 0;  // which file the connection is to
};

}  // namespace countertop::history
