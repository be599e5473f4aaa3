#include "server/api/table.hpp"

#include "server/api/value_text.hpp"

namespace countertop::api {

RowWriter::RowWriter(const Presentation& presentation, std::span<const Column> columns)
    : presentation_(presentation), columns_(columns.begin(), columns.end()) {
  if (!is_json()) return;
  for (const Column& column : columns_) {
    std::string key;
    append_json_text(key, column.name);
    keys_.push_back(key + ":");
  }
}

void RowWriter::write_head(std::string& out) const {
  if (is_json()) return;
  if (presentation_.with_bom) out += "\xEF\xBB\xBF";
  if (!presentation_.with_header) return;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    open_cell(out, i);
    const Column& column = columns_[i];
    append_cell_text(out, column.unit.empty() ? column.name : column.name + " [" + column.unit + "]",
                     presentation_.separator);
  }
  close_row(out);
}

void RowWriter::open_cell(std::string& out, std::size_t index) const {
  if (is_json()) {
    out += index == 0 ? '{' : ',';
    out += keys_[index];
  } else if (index > 0) {
    out += presentation_.separator;
  }
}

void RowWriter::close_row(std::string& out) const {
  if (is_json()) out += '}';
  if (presentation_.format != Format::json) out += '\n';
}

void RowWriter::write_cell(std::string& out, const Cell& cell) const {
  const bool as_json = is_json();
  if (const auto* text = std::get_if<std::string>(&cell)) {
    as_json ? append_json_text(out, *text) : append_cell_text(out, *text, presentation_.separator);
  } else if (const auto* number = std::get_if<double>(&cell)) {
    as_json ? append_json_number(out, *number) : append_cell_number(out, *number, presentation_);
  } else if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
    append_integer(out, *whole);
  } else if (const auto* moment = std::get_if<Moment>(&cell)) {
    as_json ? append_json_time(out, moment->unix_ms, presentation_)
            : append_cell_time(out, moment->unix_ms, presentation_);
  } else if (const auto* yes = std::get_if<bool>(&cell)) {
    out += *yes ? "true" : "false";
  } else if (as_json) {
    out += "null";
  }
}

void RowWriter::write_row(std::string& out, std::span<const Cell> cells) const {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    open_cell(out, i);
    write_cell(out, cells[i]);
  }
  close_row(out);
}

void RowWriter::write_row(std::string& out, std::int64_t time_ms, std::span<const double> values) const {
  open_cell(out, 0);
  is_json() ? append_json_time(out, time_ms, presentation_) : append_cell_time(out, time_ms, presentation_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    open_cell(out, i + 1);
    is_json() ? append_json_number(out, values[i]) : append_cell_number(out, values[i], presentation_);
  }
  close_row(out);
}

std::string table_text(const Table& table, const Presentation& presentation) {
  const RowWriter writer(presentation, table.columns);
  const bool is_array = presentation.format == Format::json;
  std::string text;
  if (is_array) text += '[';
  writer.write_head(text);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (is_array && i > 0) text += ',';
    writer.write_row(text, table.rows[i]);
  }
  if (is_array) text += ']';
  return text;
}

}  // namespace countertop::api
