// What a /proc does not show of the machine's processes, and why. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/result.hpp"

namespace countertop::proc {

/// The number that the kernel gave out last, from /proc/loadavg ("0.10 0.05 0.01 1/234 5678\n").
[[nodiscard]] std::optional<std::int64_t> last_process_number(std::string_view loadavg);

/// Unix seconds of the line "btime" of /proc/stat.
[[nodiscard]] std::optional<std::int64_t> find_boot_time(std::string_view proc_stat);

/// The option hidepid= of the /proc mounted at `proc_path`, as mountinfo spells it ("invisible", "2"); ""
/// without.
[[nodiscard]] std::string hidepid_option(std::string_view mountinfo, std::string_view proc_path);

struct VisibilityFacts {
  bool numbers_are_ours = true;  // /proc/self is the number the kernel gives this program
  std::string namespace_link;    // of /proc/self/ns/pid: "pid:[4026531836]" is the machine's first namespace
  bool first_process_visible = true;  // /proc/1 is there
  std::string_view mountinfo;
  std::string_view proc_path;
};

[[nodiscard]] std::vector<Error> find_blind_spots(const VisibilityFacts& facts);

}  // namespace countertop::proc
