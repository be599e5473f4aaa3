// Any text as a time, step, zone or range: an answer inside the known years or an error that says what is
// meant.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "server/query/plan.hpp"
#include "server/query/time_range.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace countertop::query;
  constexpr std::int64_t kNow = 1'796'040'000'500;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const TimeZone kBerlin = TimeZone::find("Europe/Berlin").value_or(TimeZone::utc());
  for (const TimeZone* zone : {static_cast<const TimeZone*>(nullptr), &kBerlin}) {
    const auto time = parse_time(text, "from", kNow, zone);
    if (time && (*time < kEarliestMs || *time > kLatestMs)) std::abort();
    if (!time && (time.error().message.empty() || time.error().fix.empty())) std::abort();
    if (time && format_rfc3339(*time, kBerlin).size() < 20) std::abort();
  }
  const auto step = parse_step(text, "step");
  if (step) {
    const auto again = parse_step(format_duration(step->ms), "step");
    if (!again || *again != *step) std::abort();
  }
  const std::size_t half = text.find('|');
  if (half == std::string_view::npos) return 0;
  const auto range = parse_range(text.substr(0, half), text.substr(half + 1), kNow, &kBerlin);
  if (!range) return 0;
  PlanRequest request;
  request.range = *range;
  request.zone = kBerlin;
  request.points = 100;
  const auto plan = plan_buckets(request);
  if (!plan || plan->grid.count == 0 || plan->grid.count > 100) std::abort();
  return 0;
}
