// Prometheus and VictoriaMetrics on the same samples.
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "tests/bench/history/measure.hpp"
#include "tests/bench/history/peer.hpp"
#include "tests/bench/history/stores.hpp"

namespace countertop::bench {
namespace {

std::string label_of(const test::CorpusSeries& series) {
  std::string text;
  for (const char c : series.name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return "recorded{name=\"" + text + "\"}";
}

/// Prometheus' scraper moves times onto its grid, because jitter costs it two bytes a sample: it gets whole
/// seconds wherever two rows do not fall into the same one.
bool seconds_are_unique(const test::Corpus& corpus) {
  for (std::size_t row = 1; row < corpus.time_ms.size(); ++row) {
    if (corpus.time_ms[row] / 1000 == corpus.time_ms[row - 1] / 1000) return false;
  }
  return true;
}

enum class TimeText { milliseconds, seconds, seconds_with_fraction };

std::string time_text(std::int64_t time_ms, TimeText form) {
  if (form == TimeText::milliseconds) return std::to_string(time_ms);
  const std::string fraction = std::to_string(1000 + time_ms % 1000).substr(1);
  return std::to_string(time_ms / 1000) + (form == TimeText::seconds ? "" : "." + fraction);
}

std::string text_of(const test::Corpus& corpus, TimeText form) {
  std::string text;
  for (const test::CorpusSeries& series : corpus.series) {
    const std::string label = label_of(series);
    for (std::size_t row = 0; row < corpus.time_ms.size(); ++row) {
      text += label + ' ' + std::to_string(series.values[row]) + ' ' + time_text(corpus.time_ms[row], form) +
              '\n';
    }
  }
  return text;
}

/// Three PromQL queries for each series: minimum, maximum and average of the buckets.
void ask(const test::Corpus& corpus, int port, std::size_t count, const std::string& extra) {
  const std::int64_t from = corpus.time_ms.front() / 1000;
  const std::int64_t to = corpus.time_ms.back() / 1000 + 1;
  const std::int64_t step = (to - from) / static_cast<std::int64_t>(kMaxPoints) + 1;
  for (const std::size_t series : series_to_query(corpus, count)) {
    for (const char* aggregate : {"min", "max", "avg"}) {
      const std::string expression = std::string(aggregate) + "_over_time(" +
                                     label_of(corpus.series[series]) + "[" + std::to_string(step) + "s])";
      const auto answer =
          http_get(port, "/api/v1/query_range?query=" + percent_encoded(expression) +
                             "&start=" + std::to_string(from + step) + "&end=" + std::to_string(to) +
                             "&step=" + std::to_string(step) + extra);
      if (!answer || answer->find("\"values\"") == std::string::npos) {
        throw std::runtime_error("A query gave no values: " + expression);
      }
    }
  }
}

void measure_queries(const test::Corpus& corpus, int port, const std::string& extra, StoreFigures& figures) {
  figures.query_one_ms = best_milliseconds(5, [&] { ask(corpus, port, 1, extra); });
  figures.query_fifty_ms = best_milliseconds(3, [&] { ask(corpus, port, kManySeries, extra); });
}

std::uint64_t bytes_in_folders(const std::filesystem::path& directory, const std::string& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.is_directory() && entry.path().filename() == folder) bytes += bytes_below(entry.path());
  }
  return bytes;
}

void run_promtool(const std::filesystem::path& promtool, const test::Corpus& corpus,
                  const std::filesystem::path& directory, StoreFigures& figures) {
  const std::filesystem::path samples = directory / "samples.txt";
  {
    const TimeText form = seconds_are_unique(corpus) ? TimeText::seconds : TimeText::seconds_with_fraction;
    std::ofstream(samples) << "# TYPE recorded gauge\n" << text_of(corpus, form) << "# EOF\n";
  }
  const std::filesystem::path blocks = directory / "blocks";
  Child child({promtool, "tsdb", "create-blocks-from", "openmetrics", samples, blocks},
              directory / "promtool.log");
  if (!child.wait()) throw std::runtime_error("promtool could not make blocks.");
  figures.ingest_samples_per_s = static_cast<double>(corpus.samples()) / child.cpu_seconds();
  figures.total_bytes = bytes_below(blocks);
  figures.data_bytes = bytes_in_folders(blocks, "chunks");
}

/// One run of VictoriaMetrics; when it ends, everything is on disk.
class VictoriaMetrics {
 public:
  VictoriaMetrics(const std::filesystem::path& program, const std::filesystem::path& directory)
      : port_(free_loopback_port()),
        child_({program, "-storageDataPath=" + (directory / "store").string(),
                "-httpListenAddr=127.0.0.1:" + std::to_string(port_), "-retentionPeriod=100y",
                "-loggerLevel=ERROR"},
               directory / "victoria-metrics.log") {
    if (!wait_until_ready(child_, port_, "/health", 60))
      throw std::runtime_error("VictoriaMetrics did not start.");
  }

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] double cpu_seconds() const { return child_.cpu_seconds(); }

  void import(const std::string& text) const {
    if (!http_post(port_, "/api/v1/import/prometheus", text) || !http_get(port_, "/internal/force_flush")) {
      throw std::runtime_error("VictoriaMetrics took no samples.");
    }
  }

  /// The merge runs in the background: waits until the size has settled.
  void merge(const std::filesystem::path& data) const {
    (void)http_get(port_, "/internal/force_merge");
    std::uint64_t settled = 0;
    for (int quiet = 0, i = 0; quiet < 6 && i < 60; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      const std::uint64_t bytes = bytes_below(data);
      quiet = bytes == settled ? quiet + 1 : 0;
      settled = bytes;
    }
  }

 private:
  int port_;
  Child child_;
};

}  // namespace

StoreFigures measure_prometheus(const test::Corpus& corpus) {
  StoreFigures figures{.name = "Prometheus"};
  const auto server = find_program("prometheus");
  const auto promtool = find_program("promtool");
  if (!server || !promtool) {
    figures.absence = "apt-get install --no-install-recommends prometheus";
    return figures;
  }
  const ScratchDirectory directory;
  run_promtool(*promtool, corpus, directory.path(), figures);
  std::ofstream(directory.path() / "empty.yml") << "global: {}\n";
  const int port = free_loopback_port();
  Child child(
      {*server, "--config.file=" + (directory.path() / "empty.yml").string(),
       "--storage.tsdb.path=" + (directory.path() / "blocks").string(), "--storage.tsdb.retention.time=100y",
       "--web.listen-address=127.0.0.1:" + std::to_string(port), "--log.level=error"},
      directory.path() / "prometheus.log");
  if (!wait_until_ready(child, port, "/-/ready", 60)) throw std::runtime_error("Prometheus did not start.");
  measure_queries(corpus, port, "", figures);
  return figures;
}

StoreFigures measure_victoria_metrics(const test::Corpus& corpus) {
  StoreFigures figures{.name = "VictoriaMetrics"};
  const auto program = find_program("victoria-metrics");
  if (!program) {
    figures.absence = "apt-get install --no-install-recommends victoria-metrics";
    return figures;
  }
  const ScratchDirectory directory;
  const std::filesystem::path store = directory.path() / "store";
  const std::string text = text_of(corpus, TimeText::milliseconds);
  {
    const VictoriaMetrics server(*program, directory.path());
    const double before = server.cpu_seconds();
    server.import(text);
    figures.ingest_samples_per_s = static_cast<double>(corpus.samples()) / (server.cpu_seconds() - before);
  }
  {
    const VictoriaMetrics server(*program, directory.path());
    server.merge(store / "data");
  }
  figures.data_bytes = bytes_below(store / "data");
  figures.total_bytes = bytes_below(store);
  const VictoriaMetrics server(*program, directory.path());
  measure_queries(corpus, server.port(), "&nocache=1", figures);
  return figures;
}

}  // namespace countertop::bench
