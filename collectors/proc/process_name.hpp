// How a process is called: text that is safe to hand on, made from bytes that may be anything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "collectors/proc/process_parser.hpp"

namespace countertop::proc {

/// The group a process belongs to: its comm as valid UTF-8, at most 64 bytes of it; "?" when it has none. Of
/// a workqueue worker ("kworker/0:1-events") the part that names its present work goes, as it changes from
/// second to second.
[[nodiscard]] std::string process_group(const ProcessStat& stat);

/// "nginx:812@1764500000". The name may hold colons itself: PID@START is what follows the last one.
[[nodiscard]] std::string process_instance(std::string_view group, std::int32_t pid,
                                           std::int64_t start_unix_s);

}  // namespace countertop::proc
