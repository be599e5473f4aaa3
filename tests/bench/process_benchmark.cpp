// What one scan of all processes costs in CPU time, beside a plain loop that only fetches /proc/PID/stat of
// each. Starts its own processes: most sleep, one in ten works a little, one in ten has several threads.
//   process_benchmark [processes [scans]]
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "collectors/core/clock.hpp"
#include "collectors/proc/process_collector.hpp"

namespace {

using countertop::proc::ProcessOptions;

void sleep_ms(long milliseconds) {
  const timespec time{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
  ::nanosleep(&time, nullptr);
}

[[noreturn]] void live(int number) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::vector<char> memory(1 << 20, 'x');
  if (number % 10 == 1) {
    for (int i = 0; i < 4; ++i)
      std::thread([] {
        while (true) ::pause();
      }).detach();
  }
  while (number % 10 == 0) {  // about half a millisecond of work ten times a second
    sleep_ms(100);
    for (volatile int i = 0; i < 100'000;) i = i + 1;
  }
  while (true) ::pause();
}

class Children {
 public:
  explicit Children(int count) {
    for (int i = 0; i < count; ++i) {
      const pid_t pid = ::fork();
      if (pid == 0) live(i);
      if (pid > 0) pids_.push_back(pid);
    }
    sleep_ms(1000);
  }
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  ~Children() {
    for (const pid_t pid : pids_) ::kill(pid, SIGKILL);
    for (const pid_t pid : pids_) ::waitpid(pid, nullptr, 0);
  }

 private:
  std::vector<pid_t> pids_;
};

double cpu_ms() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

std::size_t plain_loop() {
  static std::vector<char> buffer(4096);
  std::size_t count = 0;
  DIR* const directory = ::opendir("/proc");
  while (const dirent* entry = ::readdir(directory)) {
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
    const std::string path = std::string("/proc/") + entry->d_name + "/stat";
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) continue;
    if (::read(descriptor, buffer.data(), buffer.size()) > 0) ++count;
    ::close(descriptor);
  }
  ::closedir(directory);
  return count;
}

class CollectorRun {
 public:
  explicit CollectorRun(const ProcessOptions& options)
      : collector_(countertop::proc::make_process_collector({}, options)) {}
  std::size_t operator()() {
    const auto collected = collector_->collect(countertop::system_clock());
    return collected ? collected->snapshots.front().instances.size() : 0;
  }

 private:
  std::unique_ptr<countertop::Collector> collector_;
};

struct Contender {
  const char* name;
  std::function<std::size_t()> scan;
  std::vector<double> times{};
  std::size_t seen = 0;
};

}  // namespace

int main(int argument_count, char** arguments) {
  const int processes = argument_count > 1 ? std::atoi(arguments[1]) : 300;
  const int scans = argument_count > 2 ? std::atoi(arguments[2]) : 30;
  const Children children(processes);

  CollectorRun as_built({});
  CollectorRun without_descriptors({.most_descriptors = 0});
  CollectorRun everything_each_time({.refresh_scans = 1});
  std::vector<Contender> contenders{
      {"plain loop, stat only, nothing parsed", plain_loop},
      {"collector", [&] { return as_built(); }},
      {"collector, no descriptors kept", [&] { return without_descriptors(); }},
      {"collector, stat and io of all each scan", [&] { return everything_each_time(); }},
  };
  for (int scan = 0; scan < scans + 2; ++scan) {
    for (Contender& contender : contenders) {
      const double begin = cpu_ms();
      contender.seen = contender.scan();
      if (scan >= 2) contender.times.push_back(cpu_ms() - begin);  // the first two open files
    }
    sleep_ms(1000);
  }
  std::printf("%-42s %9s %9s %9s %12s\n", "CPU time of one scan each second", "processes", "median ms",
              "mean ms", "CPU-s/minute");
  for (Contender& contender : contenders) {
    std::ranges::sort(contender.times);
    double sum = 0;
    for (const double time : contender.times) sum += time;
    const double mean = sum / static_cast<double>(contender.times.size());
    std::printf("%-42s %9zu %9.2f %9.2f %12.3f\n", contender.name, contender.seen,
                contender.times[contender.times.size() / 2], mean, mean * 60 / 1000);
  }
  return 0;
}
