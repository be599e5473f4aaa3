#include "collectors/core/utf8.hpp"

namespace countertop {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// What a lead byte asks for (Unicode, table 3-7): bytes that follow and the range of the first of them.
struct Lead {
  int following = -1;  // -1: no lead byte
  unsigned char low = 0x80, high = 0xBF;
};

Lead describe_lead(unsigned char byte) {
  if (byte < 0x80) return {0};
  if (byte >= 0xC2 && byte <= 0xDF) return {1};
  if (byte == 0xE0) return {2, 0xA0, 0xBF};
  if (byte == 0xED) return {2, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {2};
  if (byte == 0xF0) return {3, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {3};
  if (byte == 0xF4) return {3, 0x80, 0x8F};
  return {};
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
  for (std::size_t i = at + 1; i < at + length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const unsigned char second = byte(at + 1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second >= 0xA0;
  const bool too_large = first == 0xF4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string sanitize_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t begin = at;
    const Lead lead = describe_lead(static_cast<unsigned char>(bytes[at++]));
    int missing = lead.following;
    unsigned char low = lead.low, high = lead.high;
    while (missing > 0 && at < bytes.size()) {
      const auto byte = static_cast<unsigned char>(bytes[at]);
      if (byte < low || byte > high) break;
      low = 0x80;
      high = 0xBF;
      ++at;
      --missing;
    }
    text += missing == 0 ? bytes.substr(begin, at - begin) : kReplacement;
  }
  return text;
}

}  // namespace countertop
