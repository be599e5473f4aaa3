#include "collectors/proc/text_scan.hpp"

#include <algorithm>
#include <limits>

#include "collectors/core/object.hpp"

namespace countertop::proc {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

bool is_blank(char character) { return character == ' ' || character == '\t'; }

std::optional<std::uint64_t> parse_digits(std::string_view word) {
  if (word.empty()) return std::nullopt;
  constexpr std::uint64_t kLimit = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t number = 0;
  for (const char character : word) {
    const auto digit = static_cast<std::uint64_t>(static_cast<unsigned char>(character) - '0');
    if (digit > 9 || number > (kLimit - digit) / 10) return std::nullopt;
    number = number * 10 + digit;
  }
  return number;
}

}  // namespace

std::string_view take_line(std::string_view& text) { return take_until(text, '\n'); }

std::optional<std::string_view> take_whole_line(std::string_view& text) {
  const bool whole = text.find('\n') != std::string_view::npos;
  const std::string_view line = take_line(text);
  if (!whole) return std::nullopt;
  return line;
}

std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return head;
}

std::string_view take_word(std::string_view& line) {
  std::size_t begin = 0;
  while (begin < line.size() && is_blank(line[begin])) ++begin;
  std::size_t end = begin;
  while (end < line.size() && !is_blank(line[end])) ++end;
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

std::optional<std::int64_t> parse_number(std::string_view word) {
  const bool negative = word.starts_with('-');
  if (negative) word.remove_prefix(1);
  const auto magnitude = parse_digits(word);
  if (!magnitude) return std::nullopt;
  if (negative) {
    if (*magnitude > static_cast<std::uint64_t>(kMax)) return std::nullopt;
    return -static_cast<std::int64_t>(*magnitude);
  }
  const auto value = static_cast<std::int64_t>(*magnitude);
  return value == kNoValue ? kMax : value;
}

std::optional<std::int64_t> parse_hundredths(std::string_view word) {
  const std::size_t point = word.find('.');
  const auto whole = parse_digits(word.substr(0, point));
  if (!whole || *whole > static_cast<std::uint64_t>(kMax / 100 - 1)) return std::nullopt;
  std::int64_t hundredths = static_cast<std::int64_t>(*whole) * 100;
  if (point == std::string_view::npos) return hundredths;
  const std::string_view digits = word.substr(point + 1);
  if (digits.empty() || !std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; }))
    return std::nullopt;
  hundredths += (digits[0] - '0') * 10;
  if (digits.size() > 1) hundredths += digits[1] - '0';
  return hundredths;
}

std::optional<std::int64_t> take_number(std::string_view& line) { return parse_number(take_word(line)); }

std::string_view trim(std::string_view text) {
  const auto is_space = [](char character) { return is_blank(character) || character == '\n'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string decode_octal(std::string_view text) {
  const auto octal = [](char digit) { return digit >= '0' && digit <= '7'; };
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 3 < text.size() && octal(text[at + 1]) && text[at + 1] <= '3' &&
        octal(text[at + 2]) && octal(text[at + 3])) {
      decoded +=
          static_cast<char>((text[at + 1] - '0') * 64 + (text[at + 2] - '0') * 8 + (text[at + 3] - '0'));
      at += 3;
    } else {
      decoded += text[at];
    }
  }
  return decoded;
}

}  // namespace countertop::proc
