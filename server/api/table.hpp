// Rows of named columns, written as JSON objects, NDJSON, CSV or TSV by one piece of code.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/api/message.hpp"
#include "server/api/presentation.hpp"

namespace countertop::api {

struct Moment {
  std::int64_t unix_ms = 0;
};
/// monostate: there is no value. A double that is NaN neither.
using Cell = std::variant<std::monostate, bool, std::int64_t, double, std::string, Moment>;

struct Column {
  std::string name;       // key in JSON and NDJSON
  std::string unit = {};  // shown in the header of CSV and TSV: "cpu [%]"
};

/// Writes one row after another; the text is appended to `out`. For answers of millions of rows: no
/// allocation for each.
class RowWriter {
 public:
  RowWriter(const Presentation& presentation, std::span<const Column> columns);

  /// BOM and header line of CSV and TSV; nothing otherwise.
  void write_head(std::string& out) const;
  void write_row(std::string& out, std::span<const Cell> cells) const;
  /// A row that is a time and then numbers.
  void write_row(std::string& out, std::int64_t time_ms, std::span<const double> values) const;

 private:
  [[nodiscard]] bool is_json() const {
    return presentation_.format == Format::json || presentation_.format == Format::ndjson;
  }
  void open_cell(std::string& out, std::size_t index) const;
  void write_cell(std::string& out, const Cell& cell) const;
  void close_row(std::string& out) const;

  Presentation presentation_;
  std::vector<std::string> keys_;  // `"name":` ready for JSON
  std::vector<Column> columns_;
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

/// JSON: [{...},{...}]; NDJSON: one object a line; CSV, TSV: header and rows.
[[nodiscard]] std::string table_text(const Table& table, const Presentation& presentation);

}  // namespace countertop::api
