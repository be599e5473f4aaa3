"""The rules of the house as tables. check_includes.py applies them."""

# Who may include whom, by folder. A room always sees itself.
ROOMS = {
    "collectors/core": [],
    "collectors/proc": ["collectors/core"],
    "collectors/perflib": ["collectors/core"],
    "collectors/contention": ["collectors/core"],
    "server/query": ["collectors/core"],
    "server/history": ["collectors/core", "server/query"],
    "server/api": ["collectors/core", "server/query", "server/history"],
    "server/http": ["collectors/core", "server/query", "server/history", "server/api"],
    "server/app": ["collectors", "server"],
    "server": ["collectors", "server"],
}

# Headers of libraries and systems, and the files that may include them (tests may include all).
# "max_files" is for headers that are slow to compile.
RESTRICTED = [
    {"headers": r"sqlite3(ext)?\.h", "allowed": ["server/history/*"]},
    {"headers": r"httplib\.h", "allowed": ["server/http/*.cpp", "server/http/connection_stream.hpp"], "max_files": 3},
    {"headers": r"nlohmann/.*", "allowed": ["server/api/*", "server/history/definition_json.cpp", "server/history/sql_printer.cpp"]},
    {"headers": r"date/.*", "allowed": ["server/query/time_zone.cpp"]},
    {"headers": r"CLI/.*", "allowed": ["server/app/*.cpp"]},
    {"headers": r"toml\+\+/.*", "allowed": ["server/app/*.cpp"]},
    {"headers": r"spdlog/.*", "allowed": ["server/*"]},
    {"headers": r"zstd\.h|zdict\.h", "allowed": ["server/history/*"]},
    {"headers": r"zlib\.h", "allowed": ["server/api/*.cpp", "server/http/*.cpp"]},
    {"headers": r"(windows|winsock2|winreg|winperf|evntrace|evntcons|psapi|ws2tcpip)\.h",
     "allowed": ["*_windows.cpp", "*_windows.hpp"]},
    {"headers": r"(bpf|elfutils|linux|asm)/.*", "allowed": ["*_linux.cpp", "*_linux.hpp"]},
    {"headers": r"(unistd|fcntl|dirent|poll|pthread|sched|mntent|ifaddrs|dlfcn|pwd|grp|termios|netdb|syslog)\.h"
                r"|(sys|net|netinet|arpa)/.*",
     "allowed": ["*_linux.cpp", "*_linux.hpp"]},
]

# Which system it is, CMake decides by file name.
PLATFORM_MACROS = r"\b(_WIN32|_WIN64|WIN32|__linux__|__unix__|__MINGW32__|__MINGW64__)\b"
PLATFORM_MACROS_ALLOWED = ["*_linux.cpp", "*_linux.hpp", "*_windows.cpp", "*_windows.hpp"]

MAX_LINES = 400
SIZED = (".cpp", ".hpp", ".ts", ".tsx", ".mjs", ".py", ".sh", ".css", ".cmake", "CMakeLists.txt", "dev")

# Files over the limit, each a debt with its reason and the size it may not outgrow.
DEBTS = {}

TOP_LEVEL = {
    "CMakeLists.txt", "CMakePresets.json", "README.md", "CHANGELOG.md", "LICENSE", "dev",
    "collectors", "server", "web", "migrations", "tests", "docker",
}

# Words that name the machine the project was written on, or work left undone. The classes in brackets keep
# these lines from finding themselves.
FORBIDDEN = [
    (r"[/]work[/]", "a path of one machine"),
    (r"[/]tmp[/](countertop|studio|bash_jobs)\b", "a path of one machine"),
    (r"\b[T]ODO\b|\b[F]IXME\b|\b[X]XX\b", "work left undone: do it, or leave the line out"),
    (r"\b[i]ssues? #?\d+\b", "the number of a task; say what the product does"),
]

# Folders of rooms that need a README.md, besides the rooms above that exist.
README_FOLDERS = ["web", "migrations", "tests", "docker"]

# Never looked into: results of builds, and what others wrote (.git is a file in a linked work tree).
IGNORED_FOLDERS = {".git", "build", "node_modules", "dist", ".unit", ".cache", "__pycache__"}
