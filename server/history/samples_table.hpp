// samples(path, from, to): cooked values as rows for plain SQL.
//
//   SELECT time, value FROM samples('cpu(total)/busy', unixepoch()-3600, unixepoch());
//
// Times are Unix seconds; from and to may be left out. The hidden column `path` is the path of the row's own
// series, which tells them apart where the argument has wildcards.
#pragma once

struct sqlite3;

namespace countertop::history {

/// Makes samples() known to a connection. Returns an SQLite result code.
[[nodiscard]] int register_samples(sqlite3* connection);

}  // namespace countertop::history
