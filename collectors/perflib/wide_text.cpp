#include "collectors/perflib/wide_text.hpp"

#include <array>

#include "collectors/core/utf8.hpp"

namespace countertop::perflib {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

void append_utf8(char32_t code, std::string& text) {
  const auto byte = [&](char32_t value) { text += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | (code >> 6));
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | (code >> 12));
    byte(0x80 | ((code >> 6) & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | (code >> 18));
    byte(0x80 | ((code >> 12) & 0x3F));
    byte(0x80 | ((code >> 6) & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

char32_t unit_at(Bytes text, std::size_t index) {
  return std::to_integer<char32_t>(text[2 * index]) | (std::to_integer<char32_t>(text[2 * index + 1]) << 8);
}

/// Bytes 0x80 to 0x9F of Windows-1252; 0 = not assigned.
constexpr std::array<char16_t, 32> kWindows1252{
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

std::string utf8_from_code_page(Bytes text) {
  std::string result;
  for (const std::byte one : text) {
    auto code = std::to_integer<char32_t>(one);
    if (code >= 0x80 && code < 0xA0) code = kWindows1252[code - 0x80];
    append_utf8(code == 0 ? kReplacement : code, result);
  }
  return result;
}

bool is_control(char letter) { return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F; }

std::string without_control(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (is_control(letter)) {
      append_utf8(kReplacement, result);
    } else {
      result += letter;
    }
  }
  return result;
}

}  // namespace

std::string utf8_from_utf16(Bytes text) {
  std::string result;
  const std::size_t count = text.size() / 2;
  for (std::size_t index = 0; index < count; ++index) {
    char32_t code = unit_at(text, index);
    if (code == 0) break;
    if (code >= 0xD800 && code < 0xDC00 && index + 1 < count) {
      const char32_t low = unit_at(text, index + 1);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        ++index;
      }
    }
    append_utf8(code >= 0xD800 && code < 0xE000 ? kReplacement : code, result);
  }
  return result;
}

std::string instance_text(Bytes text, std::uint32_t code_page) {
  constexpr std::uint32_t kUtf8 = 65001;
  if (code_page == 0) return without_control(utf8_from_utf16(text));
  const std::string_view bytes(reinterpret_cast<const char*>(text.data()), text.size());
  if (code_page == kUtf8 && is_utf8(bytes)) return without_control(bytes);
  return without_control(utf8_from_code_page(text));
}

std::string clean_text(std::string_view text) {
  const auto is_space = [](char letter) { return letter == ' ' || is_control(letter); };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  std::string result(text);
  for (char& letter : result) {
    if (is_control(letter)) letter = ' ';
  }
  return result;
}

}  // namespace countertop::perflib
