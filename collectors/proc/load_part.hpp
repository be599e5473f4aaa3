// The object `load`, from /proc/loadavg.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "collectors/proc/machine_part.hpp"

namespace countertop::proc {

/// "0.13 0.10 0.08 3/106 8727" (proc_loadavg(5)). Averages in hundredths.
struct LoadAverages {
  std::int64_t one_minute = 0;
  std::int64_t five_minutes = 0;
  std::int64_t fifteen_minutes = 0;
  std::int64_t runnable = 0;
  std::int64_t threads = 0;
};

[[nodiscard]] std::optional<LoadAverages> parse_load(std::string_view text);

[[nodiscard]] std::unique_ptr<MachinePart> make_load_part();

}  // namespace countertop::proc
