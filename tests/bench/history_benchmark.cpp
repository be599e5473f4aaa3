// Size, storing and queries of the history beside other stores on the same samples.
//   history_benchmark [--corpus FILE] [--json] [--month [DAYS]] [--only NAME]
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <string>

#include "tests/bench/history/stores.hpp"

namespace {

using namespace countertop;

constexpr const char* kUsage =
    "history_benchmark [--corpus FILE] [--json] [--month [DAYS]] [--only NAME]\n"
    "  --corpus FILE   recorded samples, CSV or CSV.zst; see tests/support/csv_corpus.hpp\n"
    "  --json          one JSON object instead of tables\n"
    "  --month [DAYS]  build a month-long file (30 days) of 650 series and measure its queries too; takes "
    "minutes\n"
    "  --only NAME     measure only stores whose name contains NAME\n";

struct Options {
  std::string corpus = COUNTERTOP_SHARED_DIR "/store/data/host-1s.csv.zst";
  bool json = false;
  int month_days = 0;
  std::string only;
};

std::optional<Options> parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const char* value = i + 1 < count ? arguments[i + 1] : nullptr;
    if (argument == "--json") {
      options.json = true;
    } else if (argument == "--corpus" && value != nullptr) {
      options.corpus = arguments[++i];
    } else if (argument == "--only" && value != nullptr) {
      options.only = arguments[++i];
    } else if (argument == "--month") {
      options.month_days = 30;
      if (value != nullptr &&
          std::from_chars(value, value + std::strlen(value), options.month_days).ec == std::errc{})
        ++i;
    } else {
      return std::nullopt;
    }
  }
  return options;
}

bench::StoreFigures measure(const char* name, bench::StoreFigures (*store)(const test::Corpus&),
                            const test::Corpus& corpus) {
  std::fprintf(stderr, "measuring %s ...\n", name);
  try {
    return store(corpus);
  } catch (const std::exception& failure) {
    bench::StoreFigures figures;
    figures.name = name;
    figures.absence = failure.what();
    return figures;
  }
}

int run(const Options& options) {
  const Result<test::Corpus> corpus = test::read_corpus(options.corpus);
  if (!corpus) {
    std::fprintf(stderr, "history_benchmark: %s\n", corpus.error().message.c_str());
    return 1;
  }
  const std::pair<const char*, bench::StoreFigures (*)(const test::Corpus&)> stores[] = {
      {"SQLite, rows and an index", bench::measure_indexed_table},
      {"SQLite, WITHOUT ROWID", bench::measure_clustered_table},
      {"Countertop", bench::measure_countertop},
      {"Prometheus", bench::measure_prometheus},
      {"VictoriaMetrics", bench::measure_victoria_metrics},
  };
  std::vector<bench::StoreFigures> figures;
  for (const auto& [name, store] : stores) {
    if (std::string(name).find(options.only) != std::string::npos)
      figures.push_back(measure(name, store, *corpus));
  }
  std::vector<bench::MonthFigure> month;
  if (options.month_days > 0) month = bench::measure_month(*corpus, options.month_days);
  if (options.json) {
    std::printf("%s\n", bench::json_of(*corpus, figures, month).c_str());
    return 0;
  }
  std::printf("%s", bench::table_of(*corpus, figures).c_str());
  if (!month.empty())
    std::printf("\n%d days of 650 series\n%s", options.month_days, bench::table_of(month).c_str());
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::optional<Options> options = parse(count, arguments);
  if (!options) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  try {
    return run(*options);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "history_benchmark: %s\n", failure.what());
    return 1;
  }
}
