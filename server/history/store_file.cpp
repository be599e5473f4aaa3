#include "server/history/store_file.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "server/history/history_writer.hpp"
#include "server/history/migrations.hpp"

namespace countertop::history {

namespace {

constexpr std::string_view kDamagedInfix = ".damaged-";

std::string utc_stamp(std::int64_t now_ms) {
  const std::chrono::sys_time<std::chrono::milliseconds> now{std::chrono::milliseconds(now_ms)};
  const auto day = std::chrono::floor<std::chrono::days>(now);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss time{std::chrono::floor<std::chrono::seconds>(now - day)};
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d%02u%02u-%02d%02d%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()));
  return text.data();
}

/// Reads what the writer stands on. Damage elsewhere costs gaps, not the file.
Result<void> probe(Database& database) {
  for (const char* sql : {"SELECT count(*) FROM meta", "SELECT count(*) FROM host", "SELECT max(id) FROM run",
                          "SELECT sum(length(definition)) FROM object", "SELECT max(id) FROM instance",
                          "SELECT sum(length(v)) FROM tick", "SELECT count(*) FROM part",
                          "SELECT max(id) FROM chunk", "SELECT max(id) FROM mark"}) {
    if (const auto read = database.integer(sql); !read) return tl::unexpected<Error>(read.error());
  }
  return {};
}

Result<Database> open_and_check(const std::filesystem::path& file) {
  auto database = open_configured(file, Database::Mode::create);
  if (!database) return database;
  if (const auto migrated = migrate(*database); !migrated) return tl::unexpected<Error>(migrated.error());
  if (const auto probed = probe(*database); !probed) return tl::unexpected<Error>(probed.error());
  return database;
}

}  // namespace

Result<Database> open_configured(const std::filesystem::path& file, Database::Mode mode) {
  auto database = Database::open(file, mode);
  if (!database) return database;
  // Page size and auto-vacuum take effect in a new file only. The automatic checkpoint is a fall-back:
  // Maintenance makes them, so that no tick waits for one.
  const char* const settings =
      mode == Database::Mode::read_only
          ? "PRAGMA cache_size=-2048; PRAGMA temp_store=MEMORY;"
          : "PRAGMA page_size=4096; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL;"
            "PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=3000;"
            "PRAGMA journal_size_limit=4194304; PRAGMA cache_size=-1024;"
            "PRAGMA temp_store=MEMORY; PRAGMA foreign_keys=OFF;";
  if (const auto set = database->execute(settings); !set) return tl::unexpected<Error>(set.error());
  return database;
}

Result<std::string> set_store_aside(const std::filesystem::path& directory, std::int64_t now_ms) {
  const std::filesystem::path file = directory / kDatabaseFileName;
  const std::string base = std::string(kDatabaseFileName) + std::string(kDamagedInfix) + utc_stamp(now_ms);
  std::string name = base;
  std::error_code error;
  for (int number = 2; std::filesystem::exists(directory / name, error); ++number)
    name = base + "-" + std::to_string(number);
  std::filesystem::rename(file, directory / name, error);
  if (error)
    return fail(ErrorCode::io, "cannot set the damaged file aside: " + file.string() + ": " + error.message(),
                "Move it away by hand.", error.value());
  for (const char* suffix : {"-wal", "-shm"}) {
    std::error_code missing;  // a clean file has none
    std::filesystem::rename(file.string() + suffix, (directory / name).string() + suffix, missing);
  }
  return name;
}

std::vector<std::string> files_set_aside(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  const std::string prefix = std::string(kDatabaseFileName) + std::string(kDamagedInfix);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && !name.ends_with("-wal") && !name.ends_with("-shm")) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

Result<OpenedStore> open_store(const std::filesystem::path& directory, std::int64_t now_ms) {
  std::error_code error;
  if (std::filesystem::create_directories(directory, error))
    std::filesystem::permissions(directory, std::filesystem::perms::owner_all, error);
  if (!std::filesystem::is_directory(directory, error))
    return fail(ErrorCode::io,
                "cannot create the data directory " + directory.string() + ": " + error.message(),
                "Choose another one with --data DIR.", error.value());
  const std::filesystem::path file = directory / kDatabaseFileName;
  auto database = open_and_check(file);
  if (database) return OpenedStore{std::move(*database), {}, {}};
  if (database.error().code != ErrorCode::malformed) return tl::unexpected<Error>(database.error());
  OpenedStore opened;
  opened.damage = database.error().message;
  auto aside = set_store_aside(directory, now_ms);
  if (!aside) return tl::unexpected<Error>(aside.error());
  opened.set_aside_as = std::move(*aside);
  database = open_and_check(file);
  if (!database) return tl::unexpected<Error>(database.error());
  opened.database = std::move(*database);
  return opened;
}

}  // namespace countertop::history
