#include "server/api/caching.hpp"

#include <array>
#include <charconv>

namespace countertop::api {
namespace {

std::string hex(std::uint64_t value) {
  std::array<char, 20> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value, 16);
  return {text.data(), written.ptr};
}

bool is_relative(std::string_view time) { return time.starts_with("now") || time.starts_with("-"); }

bool is_fixed(const Call& call) {
  const auto from = call.parameters.text("from");
  const auto to = call.parameters.text("to");
  return from && to && !is_relative(*from) && !is_relative(*to);
}

std::string_view bare(std::string_view tag) {
  if (tag.starts_with("W/")) tag.remove_prefix(2);
  if (tag.size() < 2 || tag.front() != '"' || tag.back() != '"') return {};
  tag = tag.substr(1, tag.size() - 2);
  return tag.ends_with("-gz") ? tag.substr(0, tag.size() - 3) : tag;
}

}  // namespace

std::uint64_t hash_text(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = seed;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

std::string live_tag(const Call& call) {
  std::uint64_t hash = hash_text(call.request.path);
  for (const auto& [name, value] : call.request.query) hash = hash_text(value, hash_text(name, hash) * 31);
  hash = hash_text(to_string(call.presentation.format), hash);
  return "W/\"" + hex(call.services.live.sequence()) + "-" + hex(hash) + "-" +
         hex(call.services.marks.sequence()) + "-" +
         hex(static_cast<std::uint64_t>(call.services.started_ms)) + "\"";
}

void set_caching(const Call& call, query::TimeRange range, Response& response) {
  if (range.to_ms > call.now_ms - kClosedAfterMs) {
    response.set_header("ETag", live_tag(call));
    response.set_header("Cache-Control", "no-cache");
    return;
  }
  response.set_header(
      "ETag", "\"" + hex(hash_text(response.body, hash_text(response.header("Content-Type")))) + "\"");
  response.set_header("Cache-Control", is_fixed(call) ? "private, max-age=86400" : "private, no-cache");
}

bool matches_tag(const Request& request, std::string_view tag) {
  const std::string_view wanted = request.header("if-none-match");
  if (tag.empty() || wanted.empty()) return false;
  if (trim(wanted) == "*") return true;
  for (const std::string_view one : split(wanted, ',')) {
    const std::string_view name = bare(trim(one));
    if (!name.empty() && name == bare(tag)) return true;
  }
  return false;
}

void make_not_modified(Response& response) {
  response.status = 304;
  response.body.clear();
  response.stream = nullptr;
  std::erase_if(response.headers, [](const NameValue& header) { return header.first == "Content-Type"; });
}

}  // namespace countertop::api
