// One request on its way through a resource's handler.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/message.hpp"
#include "server/api/parameters.hpp"
#include "server/api/presentation.hpp"
#include "server/api/problem.hpp"
#include "server/api/services.hpp"
#include "server/api/stream_slots.hpp"
#include "server/api/table.hpp"

namespace countertop::api {

/// Counted over the API's life; any thread.
struct Counters {
  std::atomic<std::uint64_t> requests{0};
  std::atomic<std::uint64_t> failed{0};  // answers of 500 and above
  std::atomic<std::uint64_t> lagged{0};  // streams dropped because their reader was too slow
};

struct Call {
  const Request& request;
  const Services& services;
  StreamSlots& streams;
  StreamSlots& exports;
  Counters& counters;
  Parameters parameters;
  Presentation presentation;
  std::vector<std::string> captures;  // decoded, in the order of the pattern's {names}
  std::int64_t now_ms = 0;

  /// The zone of the request, null when it names none.
  [[nodiscard]] const query::TimeZone* zone() const {
    return presentation.has_zone ? &presentation.zone : nullptr;
  }
};

using Handler = Answered<Response> (*)(const Call&);

/// Parameters that several resources share.
inline constexpr std::array<ParameterName, 6> kRangeParameters{
    {{"from"}, {"to"}, {"after", "from"}, {"start", "from"}, {"before", "to"}, {"end", "to"}}};
inline constexpr ParameterName kSeriesParameter{"series", {}, true};

/// Half-open, of `from` and `to` under whichever alias.
[[nodiscard]] Answered<query::TimeRange> read_range(const Call& call);
/// At least one; 400 with an example when there is none.
[[nodiscard]] Answered<std::vector<query::CounterPath>> read_series(const Call& call);

/// Rows as the request wants them; JSON as {"KEY":[...],...members}, `members` being JSON text like
/// `"next":null`.
[[nodiscard]] Response table_response(const Call& call, const Table& table, std::string_view key,
                                      std::string_view members = {});
[[nodiscard]] Response json_response(std::string body);

}  // namespace countertop::api
