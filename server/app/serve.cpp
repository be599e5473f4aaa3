#include "server/app/serve.hpp"

#include <spdlog/spdlog.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "collectors/core/clock.hpp"
#include "server/api/api.hpp"
#include "server/api/store_history.hpp"
#include "server/app/collectors.hpp"
#include "server/app/data_directory.hpp"
#include "server/app/machine.hpp"
#include "server/app/processes.hpp"
#include "server/app/recorder.hpp"
#include "server/app/self_collector.hpp"
#include "server/app/stop_signals.hpp"
#include "server/app/version.hpp"
#include "server/history/history_writer.hpp"
#include "server/http/server.hpp"
#include "server/http/static_files.hpp"
#include "server/query/live_tail.hpp"

namespace countertop::app {
namespace {

/// Everything that lives as long as `serve`. Members are destroyed from the last to the first: first HTTP
/// lets go of the API, then the recorder of the writer.
class Program {
 public:
  Program(const Settings& settings, DirectoryLock lock, std::unique_ptr<history::HistoryWriter> writer,
          MachineIdentity machine)
      : settings_(settings),
        lock_(std::move(lock)),
        machine_(std::move(machine)),
        view_(describe_view(settings)),
        missing_rights_(missing_rights(settings)),
        started_ms_(clock_.wall_ms()),
        writer_(std::move(writer)),
        history_(settings.data_directory, *writer_),
        recorder_({settings.data_directory, settings.retention, settings.interval.count(),
                   [this] { history_.close_idle(); }},
                  clock_, *writer_, live_, marks_) {}

  [[nodiscard]] Result<void> start(const std::string& token);
  void print_addresses(const std::string& token) const;
  [[nodiscard]] Result<void> stop();

 private:
  [[nodiscard]] Result<void> add_collectors();
  [[nodiscard]] Result<void> open_port(const std::string& token);
  [[nodiscard]] api::ProgramStatus status() const;
  [[nodiscard]] SelfReadings self_readings() const;
  [[nodiscard]] std::vector<api::SelfValue> self_values() const;

  const Settings& settings_;
  DirectoryLock lock_;
  Clock& clock_ = system_clock();
  const MachineIdentity machine_;
  const std::string view_;
  const std::vector<api::MissingRight> missing_rights_;
  const std::int64_t started_ms_;
  std::unique_ptr<history::HistoryWriter> writer_;
  query::LiveTail live_;
  api::MarkLog marks_;
  api::StoreHistory history_;
  Recorder recorder_;
  std::unique_ptr<api::Api> api_;
  std::unique_ptr<http::Server> server_;
};

Result<void> Program::add_collectors() {
  auto collectors = make_collectors(settings_);
  if (!collectors) return tl::unexpected<Error>(collectors.error());
  for (auto& collector : *collectors) recorder_.add(std::move(collector));
  recorder_.add(std::make_unique<SelfCollector>([this] { return self_readings(); }));
  return {};
}

Result<void> Program::open_port(const std::string& token) {
  api::AccessPolicy policy;
  policy.allowed_hosts = settings_.allowed_hosts;
  policy.allowed_hosts.push_back(api::to_lower(machine_.host));
  policy.is_exposed = !settings_.listen.is_loopback();
  policy.token = token;
  policy.new_id = random_token;
  api::Services services{
      history_, live_, marks_, clock_, [this] { return status(); }, started_ms_, settings_.interval.count()};
  api_ = std::make_unique<api::Api>(std::move(services), std::move(policy),
                                    http::make_pages(embedded::page_files()));

  http::ServerOptions options;
  options.host = settings_.listen.host;
  options.port = settings_.listen.port;
  options.answer_limit = settings_.query_timeout;
  auto bound =
      http::Server::bind(options, [this](const api::Request& request) { return api_->handle(request); });
  if (!bound) {
    Error error = bound.error();
    const auto owner = error.code == ErrorCode::busy ? find_port_owner(settings_.listen.port) : std::nullopt;
    if (owner) {
      error.message = "Port " + std::to_string(settings_.listen.port) + " is in use by process " +
                      std::to_string(owner->pid) + " (" + owner->name + ").";
      error.fix = "Stop that program, or choose another port with --listen 127.0.0.1:PORT.";
    }
    return tl::unexpected<Error>(error);
  }
  server_ = std::move(*bound);
  return {};
}

Result<void> Program::start(const std::string& token) {
  if (auto added = add_collectors(); !added) return added;
  if (auto opened = open_port(token); !opened) return opened;
  recorder_.start();
  server_->start();
  return {};
}

void Program::print_addresses(const std::string& token) const {
  ListenAddress address = settings_.listen;
  address.port = server_->port();
  std::printf("Countertop %s records %s and shows it at http://%s\n", kVersion, machine_.host.c_str(),
              address.text().c_str());
  std::printf("Data: %s\nToken, for changes: %s (also in %s)\n", settings_.data_directory.c_str(),
              token.c_str(), (settings_.data_directory / "token").c_str());
  if (!settings_.listen.is_loopback()) {
    std::printf(
        "OPEN TO THE NETWORK: everybody who reaches this address is asked for the token. There is no TLS "
        "here: put a proxy with TLS in front.\n");
  }
  if (view_ != "host") std::printf("%s\n", view_.c_str());
  std::fflush(stdout);
}

Result<void> Program::stop() {
  server_->stop();
  const bool all_ended = recorder_.stop();
  auto closed = writer_->close(clock_.wall_ms());
  if (!all_ended) {
    // A collector is stuck in the kernel; everything else is done and on disk.
    spdlog::warn("A collector does not come back from the kernel; leaving without it.");
    std::fflush(nullptr);
    std::_Exit(closed ? 0 : 1);
  }
  return closed;
}

SelfReadings Program::self_readings() const {
  SelfReadings readings;
  readings.collectors = recorder_.statuses();
  readings.queue_length = static_cast<std::int64_t>(recorder_.queue_length());
  readings.dropped_readings = static_cast<std::int64_t>(recorder_.dropped_readings());
  const auto store = recorder_.store_status();
  readings.store_bytes = store.bytes;
  readings.wal_bytes = store.wal_bytes;
  readings.requests = static_cast<std::int64_t>(api_->counters().requests.load());
  readings.streams = static_cast<std::int64_t>(api_->open_streams());
  return readings;
}

/// The newest values of the `countertop` object, under names that fit JSON.
std::vector<api::SelfValue> Program::self_values() const {
  constexpr std::pair<const char*, const char*> kNames[] = {
      {"cpu_percent", "cpu"},
      {"resident_bytes", "resident bytes"},
      {"written_bytes_per_second", "written bytes/s"},
      {"written_bytes_per_day", "written bytes/day"},
      {"lateness_seconds", "lateness"},
      {"queue_length", "queue length"},
      {"threads", "threads"},
      {"open_files", "open files"},
  };
  std::vector<api::SelfValue> values;
  for (const auto& [name, counter] : kNames) {
    query::CounterPath path;
    path.object = "countertop";
    path.counter = counter;
    const auto latest = live_.latest(std::span(&path, 1));
    const bool known = latest && !latest->values.empty();
    values.push_back({name, known ? latest->values.front().value : std::nan("")});
  }
  return values;
}

api::ProgramStatus Program::status() const {
  api::ProgramStatus status;
  status.version = kVersion;
  status.host = machine_.host;
  status.zone = machine_.zone;
  status.data_directory = settings_.data_directory.string();
  status.view = view_;
  status.started_ms = started_ms_;
  status.interval_ms = settings_.interval.count();
  status.collectors = recorder_.statuses();
  status.store = recorder_.store_status();
  status.writer = writer_->state();
  status.dropped_samples = recorder_.dropped_readings() + status.writer.dropped_snapshots;
  status.self = self_values();
  status.missing_rights = missing_rights_;
  if (view_ != "host") status.warnings.push_back(view_);
  if (const std::string problem = recorder_.storing_problem(); !problem.empty()) {
    status.warnings.push_back("Nothing can be stored: " + problem);
  }
  if (live_.sequence() == 0) status.not_ready = "The first sample is not there yet.";
  return status;
}

}  // namespace

Result<void> serve(const Settings& settings) {
  auto lock = DirectoryLock::take(settings.data_directory);
  if (!lock) return tl::unexpected<Error>(lock.error());
  const auto token = read_or_make_token(settings.data_directory);
  if (!token) return tl::unexpected<Error>(token.error());
  MachineIdentity machine = identify_machine(settings.proc_root);
  auto writer = history::HistoryWriter::open(
      {settings.data_directory, machine.host, machine.boot_id, kVersion}, system_clock().wall_ms());
  if (!writer) return tl::unexpected<Error>(writer.error());
  for (const auto& file : (*writer)->state().damaged_files) {
    spdlog::error("The data file was damaged; it is kept as {} and a new one was started.", file);
  }

  Program program(settings, std::move(*lock), std::move(*writer), std::move(machine));
  if (auto started = program.start(*token); !started) return started;
  program.print_addresses(*token);
  spdlog::info("{} received: writing what is left.", wait_for_stop_signal());
  return program.stop();
}

}  // namespace countertop::app
