#include "tests/bench/history/figures.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace countertop::bench {
namespace {

[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(buffer, sizeof buffer, pattern, arguments);
  va_end(arguments);
  return buffer;
}

std::string json_string(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) result += c;
  }
  return result + '"';
}

std::size_t changing(const test::Corpus& corpus) {
  return static_cast<std::size_t>(std::ranges::count_if(
      corpus.series, [](const test::CorpusSeries& series) { return series.changes(); }));
}

double per_sample(const test::Corpus& corpus, std::uint64_t bytes) {
  return static_cast<double>(bytes) / static_cast<double>(corpus.samples());
}

}  // namespace

std::string table_of(const test::Corpus& corpus, const std::vector<StoreFigures>& stores) {
  std::string text = format("%zu series (%zu changing) x %zu rows = %zu samples\n\n", corpus.series.size(),
                            changing(corpus), corpus.time_ms.size(), corpus.samples());
  text += format("%-34s %13s %13s %13s %12s %12s\n", "", "B/sample data", "B/sample all", "M/s per core",
                 "1 series ms", "50 series ms");
  for (const StoreFigures& store : stores) {
    if (!store.absence.empty()) {
      text += format("%-34s absent: %s\n", store.name.c_str(), store.absence.c_str());
      continue;
    }
    text += format("%-34s %13.3f %13.3f %13.2f %12.2f %12.2f\n", store.name.c_str(),
                   per_sample(corpus, store.data_bytes), per_sample(corpus, store.total_bytes),
                   store.ingest_samples_per_s / 1e6, store.query_one_ms, store.query_fifty_ms);
  }
  return text +
         "\nStoring: million samples in a second of CPU time, one commit for each row of the recording "
         "(SQLite, Countertop),"
         "\nor the whole recording as text at once (Prometheus, VictoriaMetrics; parsing included)."
         "\nQueries: the whole range into at most 1000 buckets of min, max and average, warm, best of "
         "several. SQLite"
         "\nstores answer inside the process; Prometheus and VictoriaMetrics with three queries over HTTP "
         "and JSON."
         "\nCountertop cooks rates out of raw counters on the way, the others aggregate what was stored."
         "\nPrometheus gets times of whole seconds, onto which its scraper moves them; the others the "
         "recorded milliseconds."
         "\nData: the chunk table, the table with its index, the chunk files, the data files. All: "
         "everything on disk.\n";
}

std::string table_of(const std::vector<MonthFigure>& figures) {
  std::string text;
  for (const MonthFigure& figure : figures) {
    text += format("%-66s %10.3f %-13s", figure.name.c_str(), figure.value, figure.unit.c_str());
    if (figure.goal > 0) {
      text += format("%s %g: %s", figure.goal_is_minimum ? "at least" : "at most", figure.goal,
                     figure.holds() ? "holds" : "MISSED");
    }
    text += '\n';
  }
  return text;
}

std::string json_of(const test::Corpus& corpus, const std::vector<StoreFigures>& stores,
                    const std::vector<MonthFigure>& month) {
  std::string text =
      format("{\"corpus\":{\"series\":%zu,\"changing\":%zu,\"rows\":%zu,\"samples\":%zu},\"stores\":[",
             corpus.series.size(), changing(corpus), corpus.time_ms.size(), corpus.samples());
  for (std::size_t i = 0; i < stores.size(); ++i) {
    const StoreFigures& store = stores[i];
    text += (i == 0 ? "" : ",") + std::string("{\"name\":") + json_string(store.name);
    if (!store.absence.empty()) {
      text += ",\"absent\":" + json_string(store.absence) + "}";
      continue;
    }
    text += format(
        ",\"bytes_per_sample\":%.4f,\"data_bytes\":%llu,\"total_bytes\":%llu,\"ingest_samples_per_s\":%.0f,"
        "\"query_one_ms\":%.3f,\"query_fifty_ms\":%.3f}",
        per_sample(corpus, store.data_bytes), static_cast<unsigned long long>(store.data_bytes),
        static_cast<unsigned long long>(store.total_bytes), store.ingest_samples_per_s, store.query_one_ms,
        store.query_fifty_ms);
  }
  text += "]";
  if (!month.empty()) text += ",\"month\":[";
  for (std::size_t i = 0; i < month.size(); ++i) {
    text += (i == 0 ? "" : ",") + std::string("{\"name\":") + json_string(month[i].name) +
            format(",\"value\":%.4f,\"unit\":", month[i].value) + json_string(month[i].unit);
    if (month[i].goal > 0) {
      text += format(",\"goal\":%g,\"holds\":%s", month[i].goal, month[i].holds() ? "true" : "false");
    }
    text += "}";
  }
  return text + (month.empty() ? "}" : "]}");
}

}  // namespace countertop::bench
