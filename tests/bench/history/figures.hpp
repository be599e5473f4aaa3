// What the history benchmark measures of one store, and how it is printed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/csv_corpus.hpp"

namespace countertop::bench {

struct StoreFigures {
  std::string name;
  std::string absence{};  // why there are no figures, with the command that helps; empty when there are
  std::uint64_t data_bytes = 0;     // samples only: the table or the data files
  std::uint64_t total_bytes = 0;    // everything on disk
  double ingest_samples_per_s = 0;  // per second of CPU time, user and kernel
  double query_one_ms = 0;    // one series, the whole range into at most 1000 buckets of min, max and average
  double query_fifty_ms = 0;  // 50 series likewise
};

/// A figure of the month-long file beside its goal.
struct MonthFigure {
  std::string name;
  double value = 0;
  std::string unit;
  double goal = 0;
  bool goal_is_minimum = false;

  [[nodiscard]] bool holds() const { return goal_is_minimum ? value >= goal : value <= goal; }
};

[[nodiscard]] std::string table_of(const test::Corpus& corpus, const std::vector<StoreFigures>& stores);
[[nodiscard]] std::string table_of(const std::vector<MonthFigure>& figures);
[[nodiscard]] std::string json_of(const test::Corpus& corpus, const std::vector<StoreFigures>& stores,
                                  const std::vector<MonthFigure>& month);

}  // namespace countertop::bench
