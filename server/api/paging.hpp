// Long lists in pages: `limit` and an opaque `cursor`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/api/call.hpp"

namespace countertop::api {

inline constexpr std::array<ParameterName, 2> kPageParameters{{{"limit"}, {"cursor"}}};

struct Page {
  std::size_t limit = 1000;
  std::string after;  // rows up to this place were shown already; "" from the start
};

[[nodiscard]] Answered<Page> read_page(const Call& call);

/// Rows must be sorted by the text that `place_of` gives, by default their first cell. The page after an
/// inserted row neither repeats nor skips one. The next page is in `next` of JSON and in the header Link.
using PlaceOf = std::string (*)(const std::vector<Cell>& row);
[[nodiscard]] std::string first_cell(const std::vector<Cell>& row);
[[nodiscard]] Response page_response(const Call& call, const Page& page, Table table, std::string_view key,
                                     PlaceOf place_of = first_cell);

}  // namespace countertop::api
