// Notes when the program recorded, so that the next start can say why nothing was recorded in between.
#pragma once

#include <cstdint>

#include "collectors/core/result.hpp"
#include "collectors/core/snapshot.hpp"
#include "server/history/database.hpp"
#include "server/history/history_writer.hpp"

namespace countertop::history {

/// Adds a row to `mark` and gives its id.
[[nodiscard]] Result<std::int64_t> insert_mark(Database& database, std::int64_t host, const Mark& mark);

/// Marks how the last run ended (stop, crash, reboot) and that one begins. Gives the new run's id.
/// Must run inside a write transaction.
[[nodiscard]] Result<std::int64_t> begin_run(Database& database, std::int64_t host,
                                             const WriterOptions& options, std::int64_t now_ms);

/// Marks that the run ended in order. Must run inside a write transaction.
[[nodiscard]] Result<void> end_run(Database& database, std::int64_t host, std::int64_t run,
                                   std::int64_t now_ms);

}  // namespace countertop::history
