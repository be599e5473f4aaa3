#include "server/http/static_files.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "server/api/caching.hpp"

namespace countertop::http {
namespace {

constexpr std::array<std::string_view, 6> kViews{"/",      "/counters", "/processes",
                                                 "/locks", "/sessions", "/status"};

constexpr std::string_view kNoPage =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Countertop</title>"
    "<link rel=\"stylesheet\" href=\"/docs.css\"></head><body><main><h1>Countertop</h1>"
    "<p>This program was built without its page. The numbers are there: <a href=\"/docs\">the API</a>.</p>"
    "</main></body></html>\n";

api::Response file_response(const EmbeddedFile& file) {
  api::Response response = api::make_response(200, media_type_of(file.path), std::string(file.bytes));
  if (has_hash(file.path)) {
    response.set_header("Cache-Control", "public, max-age=31536000, immutable");
  } else {
    response.set_header("Cache-Control", "no-cache");
    response.set_header("ETag", "\"" + std::to_string(api::hash_text(file.bytes)) + "\"");
  }
  return response;
}

}  // namespace

std::string_view media_type_of(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kTypes{{
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".ico", "image/x-icon"},
      {".json", "application/json"},
      {".txt", "text/plain; charset=utf-8"},
      {".woff2", "font/woff2"},
  }};
  for (const auto& [ending, type] : kTypes) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

bool has_hash(std::string_view path) {
  constexpr std::size_t kLeastDigits = 8;
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view stem = path.substr(0, dot);
  const std::size_t dash = stem.rfind('-');
  if (dash == std::string_view::npos || stem.size() - dash - 1 < kLeastDigits) return false;
  return stem.find_first_not_of("0123456789abcdef", dash + 1) == std::string_view::npos;
}

api::Pages make_pages(std::span<const EmbeddedFile> files) {
  return [files](const api::Request& request) -> std::optional<api::Response> {
    const bool is_view = std::ranges::find(kViews, request.path) != kViews.end();
    const std::string_view wanted =
        is_view ? std::string_view("index.html") : std::string_view(request.path).substr(1);
    const auto found = std::ranges::find(files, wanted, &EmbeddedFile::path);
    if (found != files.end()) return file_response(*found);
    if (!is_view) return std::nullopt;
    return api::make_response(200, "text/html; charset=utf-8", std::string(kNoPage));
  };
}

}  // namespace countertop::http
