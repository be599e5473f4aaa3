// Processes that live and die as a test says.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "collectors/proc/process_source.hpp"

namespace countertop::test {

/// The columns of /proc/PID/stat that matter; the others are filled with what a kernel might write.
struct FakeStat {
  std::string comm = "worker";
  char state = 'S';
  std::int64_t flags = 4194560;
  std::int64_t minor_faults = 0, major_faults = 0;
  std::int64_t user_ticks = 0, system_ticks = 0;
  std::int64_t threads = 1;
  std::int64_t start_ticks = 50'000;
  std::int64_t virtual_bytes = 8'192'000, resident_pages = 100;

  [[nodiscard]] std::string text(std::int32_t pid) const {
    const auto number = [](std::int64_t value) { return " " + std::to_string(value); };
    return std::to_string(pid) + " (" + comm + ") " + state + " 1 1 1 0 -1" + number(flags) +
           number(minor_faults) + " 77" + number(major_faults) + " 88" + number(user_ticks) +
           number(system_ticks) + " 91 92 20 0" + number(threads) + " 0" + number(start_ticks) +
           number(virtual_bytes) + number(resident_pages) +
           " 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n";
  }
};

struct FakeProcess {
  FakeStat stat;
  std::int64_t run_ns = 1'000'000, runs = 3;
  std::int64_t read_bytes = 0, write_bytes = 0;
  std::string whole_row;                // shown in place of `stat` when not empty
  std::set<proc::ProcessFile> refused;  // files we have no right to read
  bool gone_on_read = false;            // listed, but ended before it is read
  bool has_schedule = true;

  /// It was on a CPU for `ticks` hundredths of a second.
  void work(std::int64_t ticks) {
    stat.user_ticks += ticks;
    run_ns += ticks * 10'000'000 + 1;
    ++runs;
  }
};

class FakeProcessSource final : public proc::ProcessSource {
 public:
  std::map<std::int32_t, FakeProcess> processes;
  std::map<std::pair<std::int32_t, proc::ProcessFile>, int> reads;
  std::optional<Error> list_error;
  std::vector<Error> blind;
  std::optional<std::int64_t> boot_time = 1'796'000'000;
  std::int64_t cpus = 4;
  int open_files = 0;  // what a table has not released

  Result<std::span<const std::int32_t>> list() override {
    if (list_error) return tl::unexpected<Error>(*list_error);
    pids_.clear();
    for (const auto& [pid, process] : processes) pids_.push_back(pid);
    return std::span<const std::int32_t>(pids_);
  }

  proc::FileRead read(std::int32_t pid, proc::ProcessFile file, proc::KeptFiles& kept) override {
    using proc::ReadState;
    ++reads[{pid, file}];
    int& descriptor = kept.descriptors[static_cast<std::size_t>(file)];
    const auto found = processes.find(pid);
    const bool reused =
        found != processes.end() && descriptor >= 0 && descriptor != found->second.stat.start_ticks;
    if (found == processes.end() || found->second.gone_on_read || reused) return close(descriptor), gone();
    const FakeProcess& process = found->second;
    if (process.refused.contains(file)) return {ReadState::refused, {}};
    if (file == proc::ProcessFile::schedule && !process.has_schedule) return {ReadState::failed, {}};
    if (descriptor < 0) ++open_files;
    descriptor =
        static_cast<int>(process.stat.start_ticks);  // tells a process from the next one with its number
    text_ = content(pid, process, file);
    return {ReadState::ok, text_};
  }

  void release(proc::KeptFiles& kept) override {
    for (int& descriptor : kept.descriptors) close(descriptor);
  }

  [[nodiscard]] proc::ProcessUnits units() const override { return {100, 4096}; }
  std::optional<std::int64_t> boot_unix_s() override { return boot_time; }
  std::int64_t online_cpus() override { return cpus; }
  std::vector<Error> blind_spots() override { return blind; }

 private:
  static proc::FileRead gone() { return {proc::ReadState::gone, {}}; }
  void close(int& descriptor) {
    if (descriptor >= 0) --open_files;
    descriptor = -1;
  }
  static std::string content(std::int32_t pid, const FakeProcess& process, proc::ProcessFile file) {
    switch (file) {
      case proc::ProcessFile::schedule:
        return std::to_string(process.run_ns) + " 99 " + std::to_string(process.runs) + "\n";
      case proc::ProcessFile::io:
        return "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: " + std::to_string(process.read_bytes) +
               "\nwrite_bytes: " + std::to_string(process.write_bytes) + "\ncancelled_write_bytes: 5\n";
      case proc::ProcessFile::stat:
        break;
    }
    return process.whole_row.empty() ? process.stat.text(pid) : process.whole_row;
  }

  std::vector<std::int32_t> pids_;
  std::string text_;
};

}  // namespace countertop::test
