// Names of instances made from bytes that may be anything. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collectors/core/snapshot.hpp"

namespace countertop::proc {

/// Valid UTF-8; bytes that are none become U+FFFD. An empty name becomes "?".
[[nodiscard]] std::string readable_name(std::string_view bytes);

/// Names that stand more than once get "#2", "#3" ... from the second on, so that none is lost.
void make_unique(std::vector<InstanceName>& instances);

}  // namespace countertop::proc
