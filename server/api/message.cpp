#include "server/api/message.hpp"

#include <algorithm>
#include <array>

namespace countertop::api {
namespace {

constexpr std::string_view kHexDigits = "0123456789ABCDEF";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string_view find_value(const std::vector<NameValue>& pairs, std::string_view name) {
  const auto found = std::ranges::find(pairs, name, &NameValue::first);
  return found == pairs.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace

std::string_view Request::header(std::string_view name) const { return find_value(headers, name); }

std::string_view Response::header(std::string_view name) const { return find_value(headers, name); }

void Response::set_header(std::string_view name, std::string_view value) {
  const auto found = std::ranges::find(headers, name, &NameValue::first);
  if (found == headers.end()) {
    headers.emplace_back(name, value);
  } else {
    found->second = value;
  }
}

Response make_response(int status, std::string_view content_type, std::string body) {
  Response response;
  response.status = status;
  response.set_header("Content-Type", content_type);
  response.body = std::move(body);
  return response;
}

void set_target(Request& request, std::string_view target) {
  target = target.substr(0, target.find('#'));
  const std::size_t question = target.find('?');
  request.path = std::string(target.substr(0, question));
  if (request.path.empty()) request.path = "/";
  request.query.clear();
  if (question == std::string_view::npos) return;
  for (const std::string_view part : split(target.substr(question + 1), '&')) {
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
    request.query.emplace_back(percent_decode(part.substr(0, equals), true), percent_decode(value, true));
  }
}

std::string percent_decode(std::string_view text, bool plus_is_blank) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_blank) {
      decoded += ' ';
      continue;
    }
    const bool has_digits = text[i] == '%' && i + 2 < text.size();
    const int high = has_digits ? hex_value(text[i + 1]) : -1;
    const int low = has_digits ? hex_value(text[i + 2]) : -1;
    if (high < 0 || low < 0) {
      decoded += text[i];
      continue;
    }
    decoded += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return decoded;
}

std::string percent_encode(std::string_view text) {
  constexpr std::string_view kPlain = "-._~/:@(),*$!'";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_letter || kPlain.find(c) != std::string_view::npos) {
      encoded += c;
    } else {
      encoded += {'%', kHexDigits[byte >> 4U], kHexDigits[byte & 15U]};
    }
  }
  return encoded;
}

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace countertop::api
