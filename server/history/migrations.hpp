// Brings a data file to the schema this program knows. Forward only.
#pragma once

#include <cstdint>

#include "collectors/core/result.hpp"
#include "server/history/database.hpp"

namespace countertop::history {

/// "CtTp" in the file's header: tells our files from any other SQLite file.
inline constexpr std::int64_t kApplicationId = 0x43745470;

/// The schema version this program writes and reads.
[[nodiscard]] std::int64_t newest_schema_version();

/// Applies what is missing, each step in its own transaction. A file of a newer program is refused with
/// ErrorCode::unavailable (both versions named), a foreign SQLite file with ErrorCode::invalid_argument.
[[nodiscard]] Result<void> migrate(Database& database);

/// For readers: refuses what `migrate` would refuse and what it has not brought up to date yet.
[[nodiscard]] Result<void> check_schema(Database& database);

}  // namespace countertop::history
