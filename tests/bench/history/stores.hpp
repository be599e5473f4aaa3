// The stores that the history benchmark compares: each takes the whole corpus and tells its figures.
#pragma once

#include <vector>

#include "tests/bench/history/figures.hpp"

namespace countertop::bench {

inline constexpr std::size_t kMaxPoints = 1000;
inline constexpr std::size_t kManySeries = 50;

/// The product: writer with one commit a second of data, sealer, reader.
[[nodiscard]] StoreFigures measure_countertop(const test::Corpus& corpus);
/// A table of (series, time, value) with an index on (series, time).
[[nodiscard]] StoreFigures measure_indexed_table(const test::Corpus& corpus);
/// A table with PRIMARY KEY(series, time) WITHOUT ROWID.
[[nodiscard]] StoreFigures measure_clustered_table(const test::Corpus& corpus);
/// promtool and prometheus as found in PATH.
[[nodiscard]] StoreFigures measure_prometheus(const test::Corpus& corpus);
/// victoria-metrics as found in PATH.
[[nodiscard]] StoreFigures measure_victoria_metrics(const test::Corpus& corpus);

/// Series for queries: those that change, spread over the whole corpus; at most `count`.
[[nodiscard]] std::vector<std::size_t> series_to_query(const test::Corpus& corpus, std::size_t count);

/// A month of a host of 650 series, through the same writer, sealer and reader, against the goals.
[[nodiscard]] std::vector<MonthFigure> measure_month(const test::Corpus& corpus, int days);

}  // namespace countertop::bench
