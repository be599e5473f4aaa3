#include "collectors/proc/process_name.hpp"

#include <cstddef>

namespace countertop::proc {
namespace {

/// Kernel threads may have longer names than the 15 bytes of a comm (fs/proc/array.c, proc_task_name).
constexpr std::size_t kLongestName = 64;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// What a lead byte asks for (Unicode, table 3-7): bytes that follow and the range of the first of them.
struct Lead {
  int following = -1;  // -1: no lead byte
  unsigned char low = 0x80, high = 0xBF;
};

Lead describe_lead(unsigned char byte) {
  if (byte < 0x80) return {0};
  if (byte >= 0xC2 && byte <= 0xDF) return {1};
  if (byte == 0xE0) return {2, 0xA0, 0xBF};
  if (byte == 0xED) return {2, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {2};
  if (byte == 0xF0) return {3, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {3};
  if (byte == 0xF4) return {3, 0x80, 0x8F};
  return {};
}

}  // namespace

std::string sanitize_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t begin = at;
    const Lead lead = describe_lead(static_cast<unsigned char>(bytes[at++]));
    int missing = lead.following;
    unsigned char low = lead.low, high = lead.high;
    while (missing > 0 && at < bytes.size()) {
      const auto byte = static_cast<unsigned char>(bytes[at]);
      if (byte < low || byte > high) break;
      low = 0x80;
      high = 0xBF;
      ++at;
      --missing;
    }
    text += missing == 0 ? bytes.substr(begin, at - begin) : kReplacement;
  }
  return text;
}

std::string process_group(const ProcessStat& stat) {
  constexpr std::string_view kWorker = "kworker/";
  std::string_view comm = stat.comm.substr(0, kLongestName);
  if (stat.workqueue_worker && comm.starts_with(kWorker) && !comm.substr(kWorker.size()).starts_with("R-")) {
    comm = comm.substr(0, comm.find_first_of("-+", kWorker.size()));
  }
  return comm.empty() ? std::string("?") : sanitize_utf8(comm);
}

std::string process_instance(std::string_view group, std::int32_t pid, std::int64_t start_unix_s) {
  std::string name;
  name.reserve(group.size() + 24);
  name += group;
  name += ':';
  name += std::to_string(pid);
  name += '@';
  name += std::to_string(start_unix_s);
  return name;
}

}  // namespace countertop::proc
