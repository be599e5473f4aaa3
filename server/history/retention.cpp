#include "server/history/retention.hpp"

#include <string>

namespace countertop::history {

Result<void> check_policy(const RetentionPolicy& policy) {
  if (policy.max_bytes < kMinStoreBytes)
    return fail(ErrorCode::invalid_argument,
                "a store of " + std::to_string(policy.max_bytes) + " bytes is too small: at least 16 MiB",
                "Set store.max_size to 16MiB or more.");
  if (policy.raw_days < 1 || policy.minute_days < 1 || policy.hour_days < 1)
    return fail(ErrorCode::invalid_argument, "each tier is kept for at least one day",
                "Set store.raw, store.minute and store.hour to 1d or more.");
  return {};
}

}  // namespace countertop::history
