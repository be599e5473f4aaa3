#include "server/api/answer_text.hpp"

#include <cmath>
#include <map>

#include "collectors/core/cook.hpp"
#include "server/api/value_text.hpp"
#include "server/query/plan.hpp"

namespace countertop::api {
namespace {

void append_member(std::string& out, std::string_view name) {
  if (out.back() != '{') out += ',';
  append_json_text(out, name);
  out += ':';
}

void append_text_member(std::string& out, std::string_view name, std::string_view value) {
  append_member(out, name);
  append_json_text(out, value);
}

template <typename Rows, typename Append>
void append_array(std::string& out, const Rows& rows, Append append) {
  out += '[';
  bool is_first = true;
  for (const auto& row : rows) {
    if (!is_first) out += ',';
    is_first = false;
    append(row);
  }
  out += ']';
}

double seconds_of(std::int64_t time, std::int64_t frequency) {
  return frequency > 0 ? static_cast<double>(time) / static_cast<double>(frequency) : std::nan("");
}

/// An array of one number for each raw point.
template <typename Number>
void append_raw_column(std::string& out, std::string_view name, const std::vector<query::RawPoint>& points,
                       Number number) {
  append_member(out, name);
  append_array(out, points, [&](const query::RawPoint& point) { append_json_number(out, number(point)); });
}

void append_raw(std::string& out, const std::vector<query::RawPoint>& raw, std::string_view formula) {
  using query::RawPoint;
  append_member(out, "raw");
  out += '{';
  append_text_member(out, "formula", formula);
  append_member(out, "older");
  out += '{';
  append_raw_column(out, "time", raw,
                    [](const RawPoint& p) { return seconds_of(p.older_time.wall_ms, 1000); });
  append_raw_column(out, "value", raw, [](const RawPoint& p) { return p.parts.older_value; });
  append_raw_column(out, "base", raw, [](const RawPoint& p) { return p.parts.older_base; });
  out += '}';
  append_member(out, "newer");
  out += '{';
  append_raw_column(out, "time", raw,
                    [](const RawPoint& p) { return seconds_of(p.newer_time.wall_ms, 1000); });
  append_raw_column(out, "value", raw, [](const RawPoint& p) { return p.parts.newer_value; });
  append_raw_column(out, "base", raw, [](const RawPoint& p) { return p.parts.newer_base; });
  out += '}';
  append_member(out, "time_base");
  out += '{';
  append_raw_column(out, "older", raw, [](const RawPoint& p) { return p.parts.older_time; });
  append_raw_column(out, "newer", raw, [](const RawPoint& p) { return p.parts.newer_time; });
  append_raw_column(out, "frequency", raw, [](const RawPoint& p) { return p.parts.time_frequency; });
  out += "}}";
}

void append_series(std::string& out, const query::SeriesAnswer& series, const query::Request& request,
                   std::string_view formula) {
  out += '{';
  append_text_member(out, "path", series.path);
  append_text_member(out, "object", series.object);
  append_member(out, "instance");
  series.instance.empty() ? void(out += "null") : append_json_text(out, series.instance);
  append_text_member(out, "counter", series.counter);
  append_text_member(out, "unit", series.unit);
  const auto* const type = find_description(series.type);
  append_text_member(out, "type", type != nullptr ? type->name : std::string_view("unknown"));
  for (std::size_t i = 0; i < series.columns.size() && i < request.aggregates.size(); ++i) {
    append_member(out, query::to_string(request.aggregates[i]));
    append_array(out, series.columns[i], [&](double value) { append_json_number(out, value); });
  }
  if (request.with_raw) append_raw(out, series.raw, formula);
  out += '}';
}

void append_long_rows(std::string& out, const query::Answer& answer, const query::Request& request,
                      const Presentation& presentation) {
  const std::vector<Column> columns{{"time"}, {"path"}, {"unit"}, {"agg"}, {"value"}};
  const RowWriter writer(presentation, columns);
  writer.write_head(out);
  std::vector<Cell> cells(columns.size());
  for (std::size_t row = 0; row < answer.time_ms.size(); ++row) {
    for (const query::SeriesAnswer& series : answer.series) {
      for (std::size_t i = 0; i < series.columns.size(); ++i) {
        cells[0] = Moment{answer.time_ms[row]};
        cells[1] = series.path;
        cells[2] = series.unit;
        cells[3] = std::string(query::to_string(request.aggregates[i]));
        cells[4] = series.columns[i][row];
        writer.write_row(out, cells);
      }
    }
  }
}

}  // namespace

std::vector<std::string> formulas_of(const Services& services, const query::Answer& answer,
                                     const query::Request& request) {
  std::vector<std::string> formulas;
  if (!request.with_raw) return formulas;
  std::map<std::string, ObjectHandle, std::less<>> definitions;
  for (const query::SeriesAnswer& series : answer.series) {
    auto& definition = definitions[series.object];
    if (!definition) {
      if (const auto info = services.history.object(series.object)) definition = info->definition;
    }
    const CounterDefinition* counter = definition ? definition->find_counter(series.counter) : nullptr;
    formulas.push_back(counter != nullptr ? formula_text(*counter) : std::string());
  }
  return formulas;
}

std::string answer_json(const query::Answer& answer, const query::Request& request,
                        const Presentation& presentation, std::span<const std::string> formulas) {
  std::string out = "{";
  append_member(out, "from");
  append_json_time(out, answer.range.from_ms, presentation);
  append_member(out, "to");
  append_json_time(out, answer.range.to_ms, presentation);
  append_member(out, "step");
  append_unix_seconds(out, answer.step_ms);
  append_text_member(out, "tz", presentation.zone.name());
  append_text_member(out, "tier", query::to_string(answer.tier));
  append_member(out, "time");
  append_array(out, answer.time_ms, [&](std::int64_t time) { append_json_time(out, time, presentation); });
  append_member(out, "series");
  std::size_t index = 0;
  append_array(out, answer.series, [&](const query::SeriesAnswer& series) {
    append_series(out, series, request,
                  index < formulas.size() ? std::string_view(formulas[index]) : std::string_view());
    ++index;
  });
  append_member(out, "gaps");
  append_array(out, answer.gaps, [&](const query::Gap& gap) { out += gap_json(gap, presentation); });
  append_member(out, "warnings");
  append_array(out, answer.warnings, [&](const std::string& warning) { append_json_text(out, warning); });
  return out + "}\n";
}

std::vector<Column> answer_columns(std::span<const query::SeriesAnswer> series,
                                   std::span<const query::Aggregate> aggregates) {
  std::vector<Column> columns{{"time"}};
  for (const query::SeriesAnswer& one : series) {
    for (const query::Aggregate aggregate : aggregates) {
      const std::string ending =
          aggregates.size() > 1 ? "." + std::string(query::to_string(aggregate)) : std::string();
      columns.push_back({one.path + ending, aggregate == query::Aggregate::count ? std::string() : one.unit});
    }
  }
  return columns;
}

std::string answer_rows(const query::Answer& answer, const query::Request& request,
                        const Presentation& presentation) {
  std::string out;
  if (presentation.is_long) {
    append_long_rows(out, answer, request, presentation);
    return out;
  }
  const auto columns = answer_columns(answer.series, request.aggregates);
  const RowWriter writer(presentation, columns);
  writer.write_head(out);
  std::vector<double> values(columns.size() - 1);
  for (std::size_t row = 0; row < answer.time_ms.size(); ++row) {
    std::size_t next = 0;
    for (const query::SeriesAnswer& series : answer.series) {
      for (const auto& column : series.columns) values[next++] = column[row];
    }
    writer.write_row(out, answer.time_ms[row], values);
  }
  return out;
}

void add_warnings(Response& response, std::span<const std::string> warnings) {
  constexpr std::size_t kMostWarnings = 10;
  for (std::size_t i = 0; i < warnings.size() && i < kMostWarnings; ++i) {
    std::string text = warnings[i];
    for (char& c : text) {
      if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F) c = '?';
    }
    response.headers.emplace_back("Countertop-Warning", text);
  }
}

std::string gap_json(const query::Gap& gap, const Presentation& presentation) {
  std::string out = "{";
  append_member(out, "from");
  append_json_time(out, gap.range.from_ms, presentation);
  append_member(out, "to");
  append_json_time(out, gap.range.to_ms, presentation);
  append_text_member(out, "reason", gap.reason);
  return out + "}";
}

std::string raw_json(const query::RawPoint& raw, std::string_view formula) {
  std::string out = "{";
  append_text_member(out, "formula", formula);
  const auto side = [&](std::string_view name, const TimeBase& time, double value, double base) {
    append_member(out, name);
    out += "{\"time\":";
    append_unix_seconds(out, time.wall_ms);
    out += ",\"value\":";
    append_json_number(out, value);
    out += ",\"base\":";
    append_json_number(out, base);
    out += '}';
  };
  side("older", raw.older_time, raw.parts.older_value, raw.parts.older_base);
  side("newer", raw.newer_time, raw.parts.newer_value, raw.parts.newer_base);
  append_member(out, "time_base");
  out += "{\"older\":";
  append_json_number(out, raw.parts.older_time);
  out += ",\"newer\":";
  append_json_number(out, raw.parts.newer_time);
  out += ",\"frequency\":";
  append_json_number(out, raw.parts.time_frequency);
  return out + "}}";
}

}  // namespace countertop::api
