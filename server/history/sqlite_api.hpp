// SQLite's functions: linked directly in the program, through the host's table in the loadable extension,
// which must work on the SQLite of the shell that loads it. (The one switch that the build cannot make by
// choosing files.)
#pragma once

#ifdef COUNTERTOP_SQLITE_EXTENSION
#include <sqlite3ext.h>
extern "C" {
SQLITE_EXTENSION_INIT3
}
#else
#include <sqlite3.h>
#endif
