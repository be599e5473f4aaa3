// Scanning the kernel's text files: lines, words and numbers, each step checked. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace countertop::proc {

/// Cuts the first line off `text`, without its newline. The last line may lack one.
[[nodiscard]] std::string_view take_line(std::string_view& text);

/// The same for a line with its newline; nullopt, and nothing left of `text`, for one that was cut short: the
/// number at its end may lack digits.
[[nodiscard]] std::optional<std::string_view> take_whole_line(std::string_view& text);

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

}  // namespace countertop::proc
