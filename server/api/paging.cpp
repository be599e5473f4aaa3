#include "server/api/paging.hpp"

#include <algorithm>

#include "server/api/value_text.hpp"

namespace countertop::api {
namespace {

constexpr std::size_t kMostRows = 1000;
constexpr std::string_view kDigits = "0123456789abcdef";

/// "c" and the bytes as hexadecimal digits: no more meaning than that for the client.
std::string cursor_of(std::string_view text) {
  std::string cursor = "c";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    cursor += kDigits[byte >> 4U];
    cursor += kDigits[byte & 15U];
  }
  return cursor;
}

std::optional<std::string> text_of_cursor(std::string_view cursor) {
  if (!cursor.starts_with('c') || cursor.size() % 2 == 0) return std::nullopt;
  std::string text;
  for (std::size_t i = 1; i < cursor.size(); i += 2) {
    const std::size_t high = kDigits.find(cursor[i]);
    const std::size_t low = kDigits.find(cursor[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    text += static_cast<char>(high * 16 + low);
  }
  return text;
}

std::string address_with_cursor(const Request& request, std::string_view cursor) {
  std::string address = request.path;
  char separator = '?';
  for (const auto& [name, value] : request.query) {
    if (name == "cursor") continue;
    address += separator + percent_encode(name) + "=" + percent_encode(value);
    separator = '&';
  }
  return address + separator + "cursor=" + std::string(cursor);
}

}  // namespace

Answered<Page> read_page(const Call& call) {
  Page page;
  const auto limit = call.parameters.whole_number("limit", 1, kMostRows);
  if (!limit) return tl::unexpected(limit.error());
  page.limit = limit->value_or(kMostRows);
  if (const auto cursor = call.parameters.text("cursor")) {
    const auto after = text_of_cursor(*cursor);
    if (!after)
      return tl::unexpected(
          bad_parameter("cursor", "This is no cursor of ours.", "Take `next` of the page before."));
    page.after = *after;
  }
  return page;
}

std::string first_cell(const std::vector<Cell>& row) { return std::get<std::string>(row.front()); }

Response page_response(const Call& call, const Page& page, Table table, std::string_view key,
                       PlaceOf place_of) {
  if (!page.after.empty()) {
    const auto first = std::ranges::upper_bound(table.rows, page.after, {}, place_of);
    table.rows.erase(table.rows.begin(), first);
  }
  std::string next;
  if (table.rows.size() > page.limit) {
    table.rows.resize(page.limit);
    next = address_with_cursor(call.request, cursor_of(place_of(table.rows.back())));
  }
  std::string members = "\"next\":";
  next.empty() ? void(members += "null") : append_json_text(members, next);
  Response response = table_response(call, table, key, members);
  if (!next.empty()) response.set_header("Link", "<" + next + ">; rel=\"next\"");
  return response;
}

}  // namespace countertop::api
