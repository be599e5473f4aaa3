// Entry of countertop_sqlite.so: `.load ./countertop_sqlite` in the sqlite3 shell makes samples() known.
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "server/history/samples_table.hpp"

// SQLite derives this name from the file's: letters only.
extern "C" [[gnu::visibility("default")]] int sqlite3_countertopsqlite_init(sqlite3* connection, char**,
                                                                            const sqlite3_api_routines* api) {
  SQLITE_EXTENSION_INIT2(api)
  return countertop::history::register_samples(connection);
}
