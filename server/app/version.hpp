#pragma once

namespace countertop::app {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace countertop::app
