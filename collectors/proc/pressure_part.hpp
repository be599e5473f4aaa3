// The object `pressure`, from /proc/pressure (Documentation/accounting/psi.rst).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "collectors/proc/machine_part.hpp"

namespace countertop::proc {

/// "some avg10=1.47 avg60=0.95 avg300=0.80 total=21777600"
struct PressureLine {
  std::int64_t average_10s = kNoValue;  // hundredths of a percent
  std::int64_t total_us = kNoValue;
};

struct PressureFile {
  std::optional<PressureLine> some;  // lacks in /proc/pressure/irq
  std::optional<PressureLine> full;  // lacks in /proc/pressure/cpu before Linux 5.13
};

[[nodiscard]] PressureFile parse_pressure(std::string_view text);

[[nodiscard]] std::unique_ptr<MachinePart> make_pressure_part();

}  // namespace countertop::proc
