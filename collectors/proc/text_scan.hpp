// Scanning the kernel's text files: lines, words and numbers, each step checked. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace countertop::proc {

/// Cuts the first line off `text`, without its newline. The last line may lack one.
[[nodiscard]] std::string_view take_line(std::string_view& text);

/// The same for a line with its newline; nullopt, and nothing left of `text`, for one that was cut short: the
/// number at its end may lack digits.
[[nodiscard]] std::optional<std::string_view> take_whole_line(std::string_view& text);

/// Cuts everything before the first `separator` off `text`, and the separator with it: all that is left where
/// there is none.
[[nodiscard]] std::string_view take_until(std::string_view& text, char separator);

/// Cuts the first word off `line`; words stand between blanks and tabs. Empty at the end.
[[nodiscard]] std::string_view take_word(std::string_view& line);

/// `word` as a decimal number of the kernel: a signed one, or an unsigned one of 64 bits, whose upper half is
/// kept bit for bit (differences of two such numbers are right). nullopt for anything else, and never
/// kNoValue.
[[nodiscard]] std::optional<std::int64_t> parse_number(std::string_view word);

/// "12.34" as 1234. Further digits are dropped, missing ones are zero.
[[nodiscard]] std::optional<std::int64_t> parse_hundredths(std::string_view word);

/// The next word of `line` as a number; the word is taken in any case.
[[nodiscard]] std::optional<std::int64_t> take_number(std::string_view& line);

/// Without blanks, tabs and newlines at either end.
[[nodiscard]] std::string_view trim(std::string_view text);

/// Blanks, tabs, newlines and backslashes stand in lists of mounts as a backslash and three octal digits.
[[nodiscard]] std::string decode_octal(std::string_view text);

/// A table with a row on each line: `parse_row(line, row)` says whether it understood the line. `rows` is
/// emptied first and keeps its memory. Gives the number of lines that are not in it, one that was cut short
/// among them; blank ones are nobody's loss.
template <typename Row, typename ParseRow>
std::size_t parse_rows(std::string_view text, std::vector<Row>& rows, ParseRow parse_row) {
  rows.clear();
  std::size_t malformed = 0;
  while (!text.empty()) {
    const auto line = take_whole_line(text);
    if (line && trim(*line).empty()) continue;
    Row row;
    if (line && parse_row(*line, row))
      rows.push_back(std::move(row));
    else
      ++malformed;
  }
  return malformed;
}

}  // namespace countertop::proc
