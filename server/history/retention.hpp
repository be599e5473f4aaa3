// How long and how much is kept: by age for each tier, and by the size of the
// whole data directory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "collectors/core/result.hpp"
#include "server/history/store_status.hpp"

namespace countertop::history {

inline constexpr std::int64_t kMinStoreBytes = std::int64_t{16} << 20;

struct RetentionPolicy {
  std::int64_t raw_days = 30;
  std::int64_t minute_days = 365;
  std::int64_t hour_days = 3650;
  std::int64_t max_bytes =
      std::int64_t{2} << 30; // whole data directory, WAL included; a hard cap
};

/// invalid_argument with the limit and what to set instead; to be called before
/// anything is opened.
[[nodiscard]] Result<void> check_policy(const RetentionPolicy &policy);

} // namespace countertop::history
