// Rows of an SQL answer as aligned columns, CSV or JSON.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "server/history/history_reader.hpp"

namespace countertop::history {

struct SqlCell {
  enum class Type { null, integer, real, text, blob };
  Type type = Type::null;
  std::string text;  // UTF-8 as far as the file's text is
};

/// Hexadecimal digits; in columns, which people read, only the first bytes and the size of a long one.
[[nodiscard]] std::string blob_text(std::string_view bytes, SqlOutput format);

/// One thread. Columns keep their first rows back, to see how wide they are.
class SqlPrinter {
 public:
  SqlPrinter(std::ostream& output, SqlOutput format, std::vector<std::string> names);

  /// As many cells as names.
  void row(std::vector<SqlCell> row);
  /// After the last row.
  void finish();

 private:
  using Row = std::vector<SqlCell>;

  void print(const Row& row);
  void print_csv_header();
  void print_columns(const Row& row);
  void flush();

  std::ostream& output_;
  SqlOutput format_;
  std::vector<std::string> names_;
  std::vector<Row> waiting_;
  std::vector<std::size_t> widths_;
  bool is_flushed_ = false;
  std::size_t count_ = 0;
};

}  // namespace countertop::history
