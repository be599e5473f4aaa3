// query::Answer as JSON columns or as rows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "server/api/message.hpp"
#include "server/api/presentation.hpp"
#include "server/api/services.hpp"
#include "server/api/table.hpp"
#include "server/query/model.hpp"

namespace countertop::api {

/// For each series of a raw=1 answer the formula that its numbers go into; empty otherwise.
[[nodiscard]] std::vector<std::string> formulas_of(const Services& services, const query::Answer& answer,
                                                   const query::Request& request);

/// {from,to,step,tz,tier,time[],series[...],gaps[],warnings[]}; step 0 says that the rows are the samples
/// themselves.
[[nodiscard]] std::string answer_json(const query::Answer& answer, const query::Request& request,
                                      const Presentation& presentation,
                                      std::span<const std::string> formulas);

/// NDJSON, CSV or TSV: a row for each time, or with layout=long one for each value.
[[nodiscard]] std::string answer_rows(const query::Answer& answer, const query::Request& request,
                                      const Presentation& presentation);

/// Columns of such rows: time, then path or path.aggregate for each series.
[[nodiscard]] std::vector<Column> answer_columns(std::span<const query::SeriesAnswer> series,
                                                 std::span<const query::Aggregate> aggregates);

/// Rows have no place for warnings: they go into headers.
void add_warnings(Response& response, std::span<const std::string> warnings);

[[nodiscard]] std::string gap_json(const query::Gap& gap, const Presentation& presentation);

/// What two readings gave, for raw=1: `older`, `newer` and `time_base` as numbers.
[[nodiscard]] std::string raw_json(const query::RawPoint& raw, std::string_view formula);

}  // namespace countertop::api
