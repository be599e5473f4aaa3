// In what form an answer is wanted: format, times, separators; from the path's suffix, parameters and Accept.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/api/message.hpp"
#include "server/api/parameters.hpp"
#include "server/query/time_zone.hpp"

namespace countertop::api {

enum class Format : std::uint8_t { json, ndjson, csv, tsv };
enum class TimeStyle : std::uint8_t { unix_s, unix_ms, iso, excel };

struct Presentation {
  Format format = Format::json;
  TimeStyle time = TimeStyle::unix_s;
  query::TimeZone zone = query::TimeZone::utc();
  bool has_zone = false;  // the request names one
  char separator = ',';
  char decimal = '.';
  bool with_bom = false;
  bool with_header = true;
  bool is_long = false;  // one row for each value
};

/// Parameters that every resource with rows knows.
inline constexpr std::array<ParameterName, 8> kPresentationParameters{
    {{"format"}, {"time"}, {"tz"}, {"sep"}, {"decimal"}, {"bom"}, {"header"}, {"layout"}}};

/// `suffix`: of the path, "" or "csv". Suffix and `format` must not disagree.
[[nodiscard]] Answered<Presentation> read_presentation(const Request& request, const Parameters& parameters,
                                                       std::string_view suffix);

[[nodiscard]] std::string_view content_type(Format format);
[[nodiscard]] std::string_view to_string(Format format);
[[nodiscard]] std::optional<Format> format_from(std::string_view name);

}  // namespace countertop::api
