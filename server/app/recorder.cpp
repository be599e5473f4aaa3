#include "server/app/recorder.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "collectors/core/thread.hpp"

namespace countertop::app {
namespace {

using SteadyClock = std::chrono::steady_clock;

// A minute of readings of a handful of collectors, should the disk not take them.
constexpr std::size_t kQueueCapacity = 600;
// After the first reading of a second the others get this long to join it in one transaction.
constexpr auto kSettleTime = std::chrono::milliseconds(80);
// Sub-second intervals still make one transaction a second.
constexpr std::int64_t kLeastBetweenCommitsNs = 900'000'000;
constexpr auto kUpkeepPause = std::chrono::seconds(2);
constexpr auto kUpkeepBreath = std::chrono::milliseconds(30);
constexpr auto kPatienceAtStop = std::chrono::seconds(5);

std::vector<Mark> marks_of(const std::vector<Collected>& batch) {
  std::vector<Mark> marks;
  for (const auto& reading : batch) marks.insert(marks.end(), reading.marks.begin(), reading.marks.end());
  return marks;
}

}  // namespace

Recorder::Recorder(RecorderOptions options, Clock& clock, history::HistoryWriter& writer,
                   query::LiveTail& live, api::MarkLog& marks)
    : options_(std::move(options)),
      clock_(clock),
      writer_(writer),
      live_(live),
      mark_log_(marks),
      queue_(kQueueCapacity),
      clock_watch_(options_.interval_ms) {}

Recorder::~Recorder() = default;

void Recorder::add(std::unique_ptr<Collector> collector) {
  runners_.push_back(
      std::make_unique<CollectorRunner>(std::move(collector), clock_, queue_, options_.interval_ms));
}

void Recorder::start() {
  writer_thread_ = std::jthread([this](const std::stop_token& stop) {
    set_thread_name("ct-writer");
    write_loop(stop);
  });
  upkeep_thread_ = std::jthread([this](const std::stop_token& stop) {
    set_thread_name("ct-upkeep");
    upkeep_loop(stop);
  });
  for (const auto& runner : runners_) runner->start();
}

bool Recorder::stop() {
  for (const auto& runner : runners_) runner->request_stop();
  upkeep_thread_.request_stop();
  const auto deadline = SteadyClock::now() + kPatienceAtStop;
  const auto all_off = [this] {
    return std::ranges::all_of(
        runners_, [](const auto& runner) { return runner->status().state == CollectorState::off; });
  };
  while (!all_off() && SteadyClock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const bool all_ended = all_off();
  if (all_ended) runners_.clear();
  upkeep_thread_.join();
  maintenance_.reset();
  writer_thread_.request_stop();
  writer_thread_.join();
  return all_ended;
}

std::vector<CollectorStatus> Recorder::statuses() const {
  std::vector<CollectorStatus> statuses;
  statuses.reserve(runners_.size());
  for (const auto& runner : runners_) statuses.push_back(runner->status());
  return statuses;
}

history::StoreStatus Recorder::store_status() const {
  const std::lock_guard lock(mutex_);
  return store_status_;
}

std::string Recorder::storing_problem() const {
  const std::lock_guard lock(mutex_);
  return storing_problem_;
}

void Recorder::write_loop(const std::stop_token& stop) {
  Batch waiting;
  std::int64_t last_commit_ns = 0;
  while (!stop.stop_requested()) {
    Batch batch = next_batch(stop);
    if (batch.empty()) continue;
    for (Mark& mark : clock_watch_.tick(read_clocks(clock_))) {
      spdlog::info("{}", mark.text);
      batch.front().marks.push_back(std::move(mark));
    }
    publish(batch);
    std::move(batch.begin(), batch.end(), std::back_inserter(waiting));
    if (clock_.monotonic_ns() - last_commit_ns < kLeastBetweenCommitsNs) continue;
    last_commit_ns = clock_.monotonic_ns();
    store(waiting);
  }
  while (auto reading = queue_.try_pop()) waiting.push_back(std::move(*reading));
  if (!waiting.empty()) store(waiting);
}

/// The readings of one tick; empty when a stop is requested or nothing comes for a while.
Recorder::Batch Recorder::next_batch(const std::stop_token& stop) {
  Batch batch;
  auto first = queue_.pop_until(SteadyClock::now() + std::chrono::seconds(5), stop);
  if (!first) return batch;
  batch.push_back(std::move(*first));
  const auto settle =
      std::min<SteadyClock::duration>(kSettleTime, std::chrono::milliseconds(options_.interval_ms / 4));
  const auto deadline = SteadyClock::now() + settle;
  while (auto next = queue_.pop_until(deadline, stop)) batch.push_back(std::move(*next));
  return batch;
}

void Recorder::publish(const Batch& batch) {
  std::vector<Snapshot> snapshots;
  for (const auto& reading : batch) {
    snapshots.insert(snapshots.end(), reading.snapshots.begin(), reading.snapshots.end());
  }
  live_.publish(std::move(snapshots));
  for (const Mark& mark : marks_of(batch)) mark_log_.add({0, mark});
}

void Recorder::store(Batch& waiting) {
  note_storing(writer_.write(std::span<const Collected>(waiting), {}, clock_.wall_ms()));
  waiting.clear();
}

void Recorder::note_storing(const Result<history::WriteReport>& report) {
  const std::lock_guard lock(mutex_);
  const std::string problem = report ? "" : report.error().message;
  if (problem == storing_problem_) return;
  if (problem.empty()) {
    spdlog::info("Storing goes on.");
  } else {
    spdlog::error("Nothing can be stored: {}", problem);
  }
  storing_problem_ = problem;
}

Result<bool> Recorder::upkeep_step() {
  if (!maintenance_) {
    auto opened = history::Maintenance::open(options_.directory, options_.retention);
    if (!opened) return tl::unexpected<Error>(opened.error());
    maintenance_ = std::move(*opened);
  }
  const auto more = maintenance_->step(clock_.wall_ms());
  {
    const std::lock_guard lock(mutex_);
    store_status_ = maintenance_->status();
  }
  if (!more && more.error().code == ErrorCode::malformed) {
    maintenance_.reset();  // it must not keep the damaged file open
    if (const auto aside = writer_.set_aside(more.error().message, clock_.wall_ms()); !aside)
      return tl::unexpected(aside.error());
  }
  return more;
}

void Recorder::upkeep_loop(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any woken;
  std::string last_problem;
  while (!stop.stop_requested()) {
    const auto more = upkeep_step();
    const std::string problem = more ? "" : more.error().message;
    if (problem != last_problem && !problem.empty())
      spdlog::error("The data file's upkeep failed: {}", problem);
    last_problem = problem;
    if (options_.more_upkeep) options_.more_upkeep();
    std::unique_lock lock(mutex);
    const auto pause =
        more && *more ? std::chrono::milliseconds(kUpkeepBreath) : std::chrono::milliseconds(kUpkeepPause);
    woken.wait_for(lock, stop, pause, [] { return false; });
  }
}

}  // namespace countertop::app
