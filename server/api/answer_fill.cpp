#include "server/api/answer_fill.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace countertop::api {
namespace {

bool is_empty_row(const query::Request& request, const query::Answer& answer, std::size_t row) {
  return std::ranges::all_of(answer.series, [&](const query::SeriesAnswer& series) {
    for (std::size_t i = 0; i < series.columns.size(); ++i) {
      const double value = series.columns[i][row];
      const bool is_count = i < request.aggregates.size() && request.aggregates[i] == query::Aggregate::count;
      if (is_count ? value > 0 : !std::isnan(value)) return false;
    }
    return true;
  });
}

template <typename T>
void keep_rows(std::vector<T>& values, const std::vector<std::size_t>& rows) {
  if (values.empty()) return;
  for (std::size_t i = 0; i < rows.size(); ++i) values[i] = std::move(values[rows[i]]);
  values.resize(rows.size());
}

void leave_out_empty_rows(const query::Request& request, query::Answer& answer) {
  std::vector<std::size_t> kept;
  for (std::size_t row = 0; row < answer.time_ms.size(); ++row) {
    if (!is_empty_row(request, answer, row)) kept.push_back(row);
  }
  keep_rows(answer.time_ms, kept);
  for (query::SeriesAnswer& series : answer.series) {
    for (auto& column : series.columns) keep_rows(column, kept);
    keep_rows(series.raw, kept);
  }
}

/// For each row whether a gap begins or goes on between it and the row before: nothing may be carried over
/// it.
std::vector<bool> rows_after_gaps(const query::Answer& answer) {
  std::vector<bool> after(answer.time_ms.size(), false);
  for (const query::Gap& gap : answer.gaps) {
    const auto first = std::ranges::lower_bound(answer.time_ms, gap.range.from_ms);
    const auto last = std::ranges::lower_bound(answer.time_ms, gap.range.to_ms);
    for (auto row = first; row != last; ++row)
      after[static_cast<std::size_t>(row - answer.time_ms.begin())] = true;
    if (last != answer.time_ms.end()) after[static_cast<std::size_t>(last - answer.time_ms.begin())] = true;
  }
  return after;
}

void carry_forward(const query::Request& request, query::Answer& answer) {
  const std::vector<bool> after_gap = rows_after_gaps(answer);
  for (query::SeriesAnswer& series : answer.series) {
    for (std::size_t i = 0; i < series.columns.size(); ++i) {
      if (i < request.aggregates.size() && request.aggregates[i] == query::Aggregate::count) continue;
      std::vector<double>& column = series.columns[i];
      for (std::size_t row = 1; row < column.size(); ++row) {
        if (!std::isnan(column[row]) || after_gap[row]) continue;
        column[row] = column[row - 1];
        if (!series.raw.empty()) series.raw[row] = series.raw[row - 1];
      }
    }
  }
}

}  // namespace

Answered<Fill> read_fill(const Call& call) {
  constexpr std::array<std::string_view, 3> kNames{"null", "none", "prev"};
  const std::string_view text = call.parameters.text("fill").value_or("null");
  const auto* const found = std::ranges::find(kNames, text);
  if (found == kNames.end()) return tl::unexpected(not_one_of("fill", text, kNames));
  return static_cast<Fill>(found - kNames.begin());
}

void apply_fill(Fill fill, const query::Request& request, query::Answer& answer) {
  if (fill == Fill::none) leave_out_empty_rows(request, answer);
  if (fill == Fill::prev) carry_forward(request, answer);
}

}  // namespace countertop::api
