// /api/v1/export: every row of any range, written as it is read, in constant memory.
#include <utility>

#include "server/api/answer_text.hpp"
#include "server/api/resources.hpp"
#include "server/api/value_text.hpp"

namespace countertop::api {
namespace {

constexpr std::size_t kChunkBytes = 64 * 1024;

/// Rows into text, text in chunks to the client.
class TextSink final : public history::ExportSink {
 public:
  /// `with_count`: a last line says how many rows there were (JSON says in any case that it is complete).
  TextSink(const Presentation& presentation, bool with_count, const Write& write)
      : presentation_(presentation), with_count_(with_count), write_(write) {}

  [[nodiscard]] bool begin(std::span<const query::SeriesAnswer> series) override {
    columns_ = answer_columns(series, kOneAggregate);
    paths_.clear();
    for (const query::SeriesAnswer& one : series) paths_.push_back(one.path);
    if (presentation_.format == Format::json) {
      begin_json(series);
    } else if (presentation_.is_long) {
      columns_ = {{"time"}, {"path"}, {"unit"}, {"value"}};
      for (const query::SeriesAnswer& one : series) units_.push_back(one.unit);
    }
    writer_.emplace(presentation_, columns_);
    if (presentation_.format != Format::json) writer_->write_head(text_);
    return true;
  }

  [[nodiscard]] bool row(std::int64_t time_ms, std::span<const double> values) override {
    if (presentation_.format == Format::json) {
      json_row(time_ms, values);
    } else if (presentation_.is_long) {
      long_rows(time_ms, values);
    } else {
      writer_->write_row(text_, time_ms, values);
    }
    ++rows_;
    return text_.size() < kChunkBytes || flush();
  }

  [[nodiscard]] bool gap(const query::Gap& gap) override {
    if (presentation_.format == Format::json) gaps_.push_back(gap);
    return true;
  }

  /// The end of a whole export. False: the client did not take it.
  [[nodiscard]] bool finish() {
    if (presentation_.format == Format::json) {
      text_ += "],\"gaps\":[";
      for (std::size_t i = 0; i < gaps_.size(); ++i)
        text_ += (i > 0 ? "," : "") + gap_json(gaps_[i], presentation_);
      text_ += "],\"complete\":true,\"row_count\":" + std::to_string(rows_) + "}\n";
    } else if (with_count_) {
      const bool is_ndjson = presentation_.format == Format::ndjson;
      text_ += (is_ndjson ? "{\"rows\":" : "# rows: ") + std::to_string(rows_) + (is_ndjson ? "}\n" : "\n");
    }
    return flush();
  }

  /// What came is not all: a last line that says so, where the format has room for it.
  void fail(const Problem& problem) {
    if (presentation_.format != Format::ndjson) return;
    text_ += "{\"error\":" + problem_json(problem, {}) + "}\n";
    static_cast<void>(flush());
  }

 private:
  static constexpr std::array kOneAggregate{query::Aggregate::average};

  [[nodiscard]] bool flush() {
    if (text_.empty()) return true;
    const bool is_taken = write_(text_);
    text_.clear();
    return is_taken;
  }

  void begin_json(std::span<const query::SeriesAnswer> series) {
    text_ += "{\"series\":[";
    for (std::size_t i = 0; i < series.size(); ++i) {
      text_ += i > 0 ? ",{\"path\":" : "{\"path\":";
      append_json_text(text_, series[i].path);
      text_ += ",\"unit\":";
      append_json_text(text_, series[i].unit);
      text_ += '}';
    }
    text_ += "],\"rows\":[";
  }

  void json_row(std::int64_t time_ms, std::span<const double> values) {
    text_ += rows_ > 0 ? ",\n[" : "\n[";
    append_json_time(text_, time_ms, presentation_);
    for (const double value : values) {
      text_ += ',';
      append_json_number(text_, value);
    }
    text_ += ']';
  }

  void long_rows(std::int64_t time_ms, std::span<const double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::array<Cell, 4> cells{Moment{time_ms}, paths_[i], units_[i], values[i]};
      writer_->write_row(text_, cells);
    }
  }

  const Presentation presentation_;
  const bool with_count_;
  const Write& write_;
  std::string text_;
  std::vector<Column> columns_;
  std::vector<std::string> paths_, units_;
  std::optional<RowWriter> writer_;
  std::vector<query::Gap> gaps_;
  std::uint64_t rows_ = 0;
};

/// Finds out whether the series exist before the head of the answer is sent, by asking for one instant.
Answered<void> check_series(const Call& call, query::Request request) {
  request.range.from_ms = request.range.to_ms - 1;
  request.grid = {request.range.from_ms, 0, 0, {}};
  const auto answer = call.services.history.query(request, call.request.stop);
  if (!answer) return tl::unexpected(problem_from(answer.error(), "series"));
  return {};
}

StreamEnd write_export(HistorySource& history, const query::Request& request,
                       const Presentation& presentation, bool with_count, const Write& write,
                       const std::stop_token& stop) {
  TextSink sink(presentation, with_count, write);
  const auto rows = history.export_rows(request, sink, stop);
  if (!rows) {
    sink.fail(problem_from(rows.error()));
    return StreamEnd::broken;
  }
  return sink.finish() ? StreamEnd::complete : StreamEnd::broken;
}

std::string file_name(const Call& call, query::TimeRange range) {
  return "countertop-" + std::to_string(range.from_ms / 1000) + "-" + std::to_string(range.to_ms / 1000) +
         "." + std::string(to_string(call.presentation.format));
}

}  // namespace

Answered<Response> get_export(const Call& call) {
  query::Request request;
  auto series = read_series(call);
  if (!series) return tl::unexpected(series.error());
  request.series = *std::move(series);
  const auto range = read_range(call);
  if (!range) return tl::unexpected(range.error());
  request.range = *range;
  request.grid.start_ms = range->from_ms;
  const auto with_count = call.parameters.flag("check", false);
  if (!with_count) return tl::unexpected(with_count.error());
  auto slot = call.exports.take();
  if (!slot) {
    return tl::unexpected(Problem{429,
                                  "too-many-exports",
                                  "Too many exports at a time",
                                  std::to_string(call.exports.most()) + " exports are running.",
                                  "Try again later.",
                                  {},
                                  10});
  }
  if (const auto checked = check_series(call, request); !checked) return tl::unexpected(checked.error());

  Response response = make_response(200, content_type(call.presentation.format), {});
  response.set_header("Content-Disposition", "attachment; filename=\"" + file_name(call, *range) + "\"");
  response.set_header("Cache-Control", "no-store");
  response.stream = [slot = std::move(slot), request = std::move(request), presentation = call.presentation,
                     with_count = *with_count,
                     &history = call.services.history](const Write& write, const std::stop_token& stop) {
    return write_export(history, request, presentation, with_count, write, stop);
  };
  return response;
}

}  // namespace countertop::api
