// The data file on disk: opened for writing with our settings, and set aside when it is damaged.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "collectors/core/result.hpp"
#include "server/history/database.hpp"

namespace countertop::history {

/// A connection with our settings: WAL, synchronous NORMAL, small caches, incremental auto-vacuum.
[[nodiscard]] Result<Database> open_configured(const std::filesystem::path& file, Database::Mode mode);

struct OpenedStore {
  Database database;
  std::string set_aside_as;  // file name that a damaged predecessor got; empty: all was well
  std::string damage;        // what was wrong with it
};

/// Creates the directory (owner only) and the file, migrates, and reads enough to find gross damage. A
/// damaged file is renamed and a new one started.
[[nodiscard]] Result<OpenedStore> open_store(const std::filesystem::path& directory, std::int64_t now_ms);

/// Renames the data file with its -wal and -shm to history.db.damaged-YYYYMMDD-HHMMSS (UTC); gives the new
/// name. No connection of this process may be open on it.
[[nodiscard]] Result<std::string> set_store_aside(const std::filesystem::path& directory,
                                                  std::int64_t now_ms);

/// Names of files set aside, oldest first.
[[nodiscard]] std::vector<std::string> files_set_aside(const std::filesystem::path& directory);

}  // namespace countertop::history
