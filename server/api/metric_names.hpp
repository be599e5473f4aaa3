// Names and escapes of the Prometheus text format.
#pragma once

#include <string>
#include <string_view>

namespace countertop::api {

/// "cpu", "busy", "%" -> "countertop_cpu_busy_percent"; rates end in _per_second, bytes in _bytes.
[[nodiscard]] std::string metric_name(std::string_view object, std::string_view counter,
                                      std::string_view unit);
[[nodiscard]] std::string escape_label(std::string_view text);
[[nodiscard]] std::string escape_help(std::string_view text);

}  // namespace countertop::api
