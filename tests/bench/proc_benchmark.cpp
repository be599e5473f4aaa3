// What one reading of the machine's cheap files costs in CPU time, and how much of it is the kernel's.
//   proc_benchmark [readings]
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "collectors/core/clock.hpp"
#include "collectors/proc/collectors_linux.hpp"

namespace {

std::int64_t cpu_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

double system_share() {
  rusage use{};
  ::getrusage(RUSAGE_THREAD, &use);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  const double all = seconds(use.ru_utime) + seconds(use.ru_stime);
  return all > 0 ? 100 * seconds(use.ru_stime) / all : 0;
}

void measure(countertop::Collector& collector, int readings) {
  countertop::Clock& clock = countertop::system_clock();
  std::size_t values = 0;
  std::vector<std::int64_t> costs;
  for (int i = 0; i < readings; ++i) {
    const std::int64_t begin = cpu_ns();
    const auto collected = collector.collect(clock);
    costs.push_back(cpu_ns() - begin);
    if (!collected) {
      std::printf("%-12s %s\n", std::string(collector.name()).c_str(), collected.error().message.c_str());
      return;
    }
    values = 0;
    for (const auto& snapshot : collected->snapshots) values += snapshot.values.size();
  }
  std::int64_t sum = 0;
  for (const std::int64_t cost : costs) sum += cost;
  std::ranges::sort(costs);
  std::printf("%-12s %6zu values   CPU for a reading: mean %7.1f us, median %7.1f us, 99 %% below %7.1f us\n",
              std::string(collector.name()).c_str(), values, static_cast<double>(sum) / 1000 / readings,
              static_cast<double>(costs[costs.size() / 2]) / 1000,
              static_cast<double>(costs[costs.size() * 99 / 100]) / 1000);
}

}  // namespace

int main(int count, char** arguments) {
  const int readings = count > 1 ? std::max(1, std::atoi(arguments[1])) : 2000;
  for (const auto& collector : countertop::proc::make_linux_collectors({}))
    if (collector->name() == "machine" || collector->name() == "filesystem" || collector->name() == "sensors")
      measure(*collector, readings);
  std::printf("%.0f %% of it in the kernel\n", system_share());
  return 0;
}
