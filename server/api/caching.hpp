// ETags: strong ones for ranges that cannot change any more, weak ones by the newest sample for the others.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/api/call.hpp"

namespace countertop::api {

/// A range that ended this long ago has all its samples.
inline constexpr std::int64_t kClosedAfterMs = 60'000;

/// Sets ETag and Cache-Control of an answer about `range`. Only a range that both `from` and `to` fix (no
/// "-1h") may be kept without asking again.
void set_caching(const Call& call, query::TimeRange range, Response& response);

/// The weak tag of an answer that changes with the newest sample.
[[nodiscard]] std::string live_tag(const Call& call);

/// Whether If-None-Match names the tag (compared weakly; a "-gz" of ours at its end does not matter).
[[nodiscard]] bool matches_tag(const Request& request, std::string_view tag);

/// 304 without body, with the headers that a 200 would have had.
void make_not_modified(Response& response);

/// FNV-1a.
[[nodiscard]] std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325ULL);

}  // namespace countertop::api
