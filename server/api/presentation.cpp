#include "server/api/presentation.hpp"

#include <algorithm>
#include <charconv>

namespace countertop::api {
namespace {

constexpr std::array<std::string_view, 4> kFormatNames{"json", "ndjson", "csv", "tsv"};
constexpr std::array<std::string_view, 4> kTimeNames{"unix", "unixms", "iso", "excel"};

struct MediaType {
  std::string_view name;
  Format format;
};
constexpr std::array<MediaType, 8> kMediaTypes{{{"application/json", Format::json},
                                                {"text/json", Format::json},
                                                {"application/x-ndjson", Format::ndjson},
                                                {"application/ndjson", Format::ndjson},
                                                {"application/jsonl", Format::ndjson},
                                                {"text/csv", Format::csv},
                                                {"text/tab-separated-values", Format::tsv},
                                                {"application/*", Format::json}}};

double quality_of(std::string_view parameters) {
  for (const std::string_view part : split(parameters, ';')) {
    const std::string_view one = trim(part);
    if (!one.starts_with("q=")) continue;
    double quality = 0;
    std::from_chars(one.data() + 2, one.data() + one.size(), quality);
    return quality;
  }
  return 1;
}

/// The best of what Accept names; JSON where it names nothing that is known.
Format negotiate(std::string_view accept) {
  Format best = Format::json;
  double best_quality = 0;
  for (const std::string_view part : split(accept, ',')) {
    const std::size_t end = part.find(';');
    const std::string type = to_lower(trim(part.substr(0, end)));
    const auto* const found = std::ranges::find(kMediaTypes, std::string_view(type), &MediaType::name);
    if (found == kMediaTypes.end()) continue;
    const double quality = end == std::string_view::npos ? 1 : quality_of(part.substr(end + 1));
    if (quality <= best_quality) continue;
    best = found->format;
    best_quality = quality;
  }
  return best;
}

Answered<Format> read_format(const Request& request, const Parameters& parameters, std::string_view suffix) {
  const auto named = parameters.text("format");
  if (named) {
    const auto format = format_from(*named);
    if (!format) return tl::unexpected(not_one_of("format", *named, kFormatNames));
    if (!suffix.empty() && suffix != *named) {
      return tl::unexpected(bad_parameter(
          "format",
          "The path ends in ." + std::string(suffix) + ", and format is '" + std::string(*named) + "'.",
          "Leave out one of them."));
    }
    return *format;
  }
  if (const auto format = format_from(suffix)) return *format;
  return negotiate(request.header("accept"));
}

Answered<char> read_separator(const Parameters& parameters, Format format, char decimal) {
  constexpr std::array<std::string_view, 4> kNames{",", ";", "tab", "|"};
  const auto given = parameters.text("sep");
  if (!given) return format == Format::tsv ? '\t' : decimal == ',' ? ';' : ',';
  if (*given == "tab" || *given == "\t") return '\t';
  if (*given == "," || *given == ";" || *given == "|") return given->front();
  return tl::unexpected(not_one_of("sep", *given, kNames));
}

Answered<TimeStyle> read_time_style(const Parameters& parameters) {
  const auto given = parameters.text("time");
  if (!given) return TimeStyle::unix_s;
  const auto* const found = std::ranges::find(kTimeNames, *given);
  if (found == kTimeNames.end()) return tl::unexpected(not_one_of("time", *given, kTimeNames));
  constexpr std::array<TimeStyle, 4> kStyles{TimeStyle::unix_s, TimeStyle::unix_ms, TimeStyle::iso,
                                             TimeStyle::excel};
  return kStyles[static_cast<std::size_t>(found - kTimeNames.begin())];
}

}  // namespace

Answered<Presentation> read_presentation(const Request& request, const Parameters& parameters,
                                         std::string_view suffix) {
  constexpr std::array<std::string_view, 2> kLayouts{"wide", "long"};
  constexpr std::array<std::string_view, 2> kDecimals{".", ","};
  Presentation result;
  const auto format = read_format(request, parameters, suffix);
  if (!format) return tl::unexpected(format.error());
  result.format = *format;
  const auto time = read_time_style(parameters);
  if (!time) return tl::unexpected(time.error());
  result.time = *time;
  if (const auto name = parameters.text("tz")) {
    const auto zone = query::TimeZone::find(*name);
    if (!zone) return tl::unexpected(bad_parameter("tz", zone.error().message, zone.error().fix));
    result.zone = *zone;
    result.has_zone = true;
  }
  const std::string_view decimal = parameters.text("decimal").value_or(".");
  if (decimal != "." && decimal != ",") return tl::unexpected(not_one_of("decimal", decimal, kDecimals));
  result.decimal = decimal.front();
  const auto separator = read_separator(parameters, result.format, result.decimal);
  if (!separator) return tl::unexpected(separator.error());
  result.separator = *separator;
  const auto bom = parameters.flag("bom", false);
  if (!bom) return tl::unexpected(bom.error());
  result.with_bom = *bom;
  const auto header = parameters.flag("header", true);
  if (!header) return tl::unexpected(header.error());
  result.with_header = *header;
  const std::string_view layout = parameters.text("layout").value_or("wide");
  if (layout != "wide" && layout != "long") return tl::unexpected(not_one_of("layout", layout, kLayouts));
  result.is_long = layout == "long";
  return result;
}

std::string_view content_type(Format format) {
  switch (format) {
    case Format::json:
      return "application/json";
    case Format::ndjson:
      return "application/x-ndjson";
    case Format::csv:
      return "text/csv; charset=utf-8";
    case Format::tsv:
      return "text/tab-separated-values; charset=utf-8";
  }
  return "application/json";
}

std::string_view to_string(Format format) { return kFormatNames[static_cast<std::size_t>(format)]; }

std::optional<Format> format_from(std::string_view name) {
  const auto* const found = std::ranges::find(kFormatNames, name);
  if (found == kFormatNames.end()) return std::nullopt;
  return static_cast<Format>(found - kFormatNames.begin());
}

}  // namespace countertop::api
