#include "server/history/run_log.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace countertop::history {

namespace {

struct LastRun {
  std::int64_t started_ms = 0;
  std::optional<std::int64_t> ended_ms;
  bool same_boot = false;
};

Result<std::optional<LastRun>> read_last_run(Database& database, std::int64_t host,
                                             const std::string& boot_id) {
  auto select = database.prepare(
      "SELECT started_ms, ended_ms, boot_id FROM run WHERE host=?1 ORDER BY id DESC LIMIT 1");
  if (!select) return tl::unexpected<Error>(select.error());
  select->bind(1, host);
  const auto row = select->step();
  if (!row) return tl::unexpected<Error>(row.error());
  if (!*row) return std::optional<LastRun>{};
  LastRun run;
  run.started_ms = select->integer(0);
  if (!select->is_null(1)) run.ended_ms = select->integer(1);
  // Without an id nothing says that the machine was started anew.
  run.same_boot = boot_id.empty() || select->text(2).empty() || select->text(2) == boot_id;
  return std::optional<LastRun>{run};
}

/// When the last tick was stored; nullopt when none ever was.
Result<std::optional<std::int64_t>> last_tick_ms(Database& database) {
  const auto tick = database.integer("SELECT wall_ms FROM tick ORDER BY id DESC LIMIT 1");
  if (!tick || tick->has_value()) return tick;
  return database.integer("SELECT last_ms FROM part ORDER BY segment DESC LIMIT 1");
}

Mark gap_mark(MarkKind kind, std::int64_t from_ms, std::int64_t now_ms, std::string text) {
  return Mark{from_ms, kind, std::move(text), now_ms > from_ms ? now_ms : 0};
}

Result<void> mark_last_run(Database& database, std::int64_t host, const LastRun& last, std::int64_t now_ms) {
  const auto tick_ms = last_tick_ms(database);
  if (!tick_ms) return tl::unexpected<Error>(tick_ms.error());
  const std::int64_t ended_ms =
      last.ended_ms.value_or(std::max(tick_ms->value_or(last.started_ms), last.started_ms));
  if (last.ended_ms) {
    auto extend = database.prepare(
        "UPDATE mark SET until_ms=?1 WHERE id=(SELECT max(id) FROM mark WHERE host=?2 AND kind='stop') AND "
        "wall_ms<?1");
    if (!extend) return tl::unexpected<Error>(extend.error());
    extend->bind(1, now_ms).bind(2, host);
    if (const auto extended = extend->run(); !extended) return extended;
  }
  std::optional<Mark> mark;
  if (!last.same_boot)
    mark = gap_mark(MarkKind::reboot, ended_ms, now_ms,
                    last.ended_ms ? "The computer was started anew."
                                  : "The computer went down without notice and was started anew.");
  else if (!last.ended_ms)
    mark =
        gap_mark(MarkKind::crash, ended_ms, now_ms, "Countertop ended without notice (killed or crashed).");
  if (!mark) return {};
  const auto inserted = insert_mark(database, host, *mark);
  if (!inserted) return tl::unexpected<Error>(inserted.error());
  return {};
}

}  // namespace

Result<std::int64_t> insert_mark(Database& database, std::int64_t host, const Mark& mark) {
  auto insert =
      database.prepare("INSERT INTO mark(host, wall_ms, until_ms, kind, text) VALUES(?1, ?2, ?3, ?4, ?5)");
  if (!insert) return tl::unexpected<Error>(insert.error());
  insert->bind(1, host)
      .bind(2, mark.wall_ms)
      .bind(3, mark.until_ms)
      .bind(4, to_string(mark.kind))
      .bind(5, std::string_view(mark.text));
  if (const auto inserted = insert->run(); !inserted) return tl::unexpected<Error>(inserted.error());
  return database.last_insert_id();
}

Result<std::int64_t> begin_run(Database& database, std::int64_t host, const WriterOptions& options,
                               std::int64_t now_ms) {
  const auto last = read_last_run(database, host, options.boot_id);
  if (!last) return tl::unexpected<Error>(last.error());
  if (last->has_value()) {
    if (const auto marked = mark_last_run(database, host, **last, now_ms); !marked)
      return tl::unexpected<Error>(marked.error());
  }
  auto insert =
      database.prepare("INSERT INTO run(host, boot_id, program_version, started_ms) VALUES(?1, ?2, ?3, ?4)");
  if (!insert) return tl::unexpected<Error>(insert.error());
  insert->bind(1, host)
      .bind(2, std::string_view(options.boot_id))
      .bind(3, std::string_view(options.program_version))
      .bind(4, now_ms);
  if (const auto inserted = insert->run(); !inserted) return tl::unexpected<Error>(inserted.error());
  const std::int64_t run = database.last_insert_id();
  const auto mark = insert_mark(database, host, Mark{now_ms, MarkKind::start, "Recording started.", 0});
  if (!mark) return tl::unexpected<Error>(mark.error());
  return run;
}

Result<void> end_run(Database& database, std::int64_t host, std::int64_t run, std::int64_t now_ms) {
  const auto mark = insert_mark(database, host, Mark{now_ms, MarkKind::stop, "Recording was stopped.", 0});
  if (!mark) return tl::unexpected<Error>(mark.error());
  auto update = database.prepare("UPDATE run SET ended_ms=?1 WHERE id=?2");
  if (!update) return tl::unexpected<Error>(update.error());
  update->bind(1, now_ms).bind(2, run);
  return update->run();
}

}  // namespace countertop::history
