#include "server/history/sql_printer.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace countertop::history {

namespace {

/// Columns get as wide as the widest value among this many rows.
constexpr std::size_t kRowsForWidths = 200;
constexpr std::size_t kBlobBytesInColumns = 24;

std::string hex(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_value(const SqlCell& cell) {
  switch (cell.type) {
    case SqlCell::Type::null:
      return "null";
    case SqlCell::Type::integer:
      return cell.text;
    case SqlCell::Type::real:  // Inf has no JSON
      return cell.text.find_first_of("nN") == std::string::npos ? cell.text : "null";
    default:
      return json_string(cell.text);
  }
}

/// Names come from outside: no line may break, and no byte may steer the terminal.
std::string on_one_line(std::string text) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      line += "\\x" + hex({&c, 1});
    else
      line += c;
  }
  return line;
}

/// In characters as a terminal counts most of them: code points.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string blob_text(std::string_view bytes, SqlOutput format) {
  if (format != SqlOutput::columns || bytes.size() <= kBlobBytesInColumns) return hex(bytes);
  return hex(bytes.substr(0, kBlobBytesInColumns)) + "... (" + std::to_string(bytes.size()) + " bytes)";
}

SqlPrinter::SqlPrinter(std::ostream& output, SqlOutput format, std::vector<std::string> names)
    : output_(output), format_(format), names_(std::move(names)) {}

void SqlPrinter::row(Row row) {
  if (format_ != SqlOutput::columns) {
    print(row);
    return;
  }
  for (SqlCell& cell : row) cell.text = on_one_line(std::move(cell.text));
  if (is_flushed_) {
    print_columns(row);
  } else {
    waiting_.push_back(std::move(row));
    if (waiting_.size() >= kRowsForWidths) flush();
  }
}

void SqlPrinter::finish() {
  if (format_ == SqlOutput::columns) flush();
  if (format_ == SqlOutput::csv && count_ == 0) print_csv_header();
  if (format_ == SqlOutput::json) output_ << (count_ == 0 ? "[]\n" : "\n]\n");
  output_.flush();
}

void SqlPrinter::print_csv_header() {
  for (std::size_t i = 0; i < names_.size(); ++i) output_ << (i == 0 ? "" : ",") << csv_field(names_[i]);
  output_ << '\n';
}

void SqlPrinter::print(const Row& row) {
  const bool is_first = count_++ == 0;
  if (format_ == SqlOutput::csv) {
    if (is_first) print_csv_header();
    for (std::size_t i = 0; i < row.size(); ++i) output_ << (i == 0 ? "" : ",") << csv_field(row[i].text);
    output_ << '\n';
    return;
  }
  output_ << (is_first ? "[\n " : ",\n ");
  for (std::size_t i = 0; i < row.size(); ++i)
    output_ << (i == 0 ? "{" : ",") << json_string(names_[i]) << ":" << json_value(row[i]);
  output_ << "}";
}

void SqlPrinter::flush() {
  if (is_flushed_) return;
  is_flushed_ = true;
  Row header;
  for (const std::string& name : names_) header.push_back({SqlCell::Type::text, on_one_line(name)});
  for (const SqlCell& cell : header) widths_.push_back(width_of(cell.text));
  for (const Row& row : waiting_)
    for (std::size_t i = 0; i < row.size(); ++i) widths_[i] = std::max(widths_[i], width_of(row[i].text));
  print_columns(header);
  for (const Row& row : waiting_) print_columns(row);
  waiting_.clear();
}

void SqlPrinter::print_columns(const Row& row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::size_t width = width_of(row[i].text);
    const std::string padding(widths_[i] > width ? widths_[i] - width : 0, ' ');
    const bool is_number = row[i].type == SqlCell::Type::integer || row[i].type == SqlCell::Type::real;
    if (i != 0) output_ << "  ";
    if (is_number) output_ << padding;
    output_ << row[i].text;
    if (!is_number && i + 1 < row.size()) output_ << padding;
  }
  output_ << '\n';
}

}  // namespace countertop::history
