#include <pthread.h>

#include <ctime>

#include "collectors/core/thread.hpp"

namespace countertop {

std::int64_t thread_cpu_time_ns() {
  timespec used{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) != 0) return 0;
  return static_cast<std::int64_t>(used.tv_sec) * 1'000'000'000 + used.tv_nsec;
}

void set_thread_name(const std::string& name) {
  constexpr std::size_t kMaxBytes = 15;
  pthread_setname_np(pthread_self(), name.substr(0, kMaxBytes).c_str());
}

}  // namespace countertop
