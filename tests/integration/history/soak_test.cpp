// The size limit holds under the worst names and rates, for the whole directory at every moment.
#include <catch_amalgamated.hpp>
#include <deque>

#include "tests/support/history_world.hpp"

namespace countertop::test {
namespace {

std::uintmax_t directory_size(const std::filesystem::path& directory) {
  std::uintmax_t total = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    std::error_code gone;
    const auto size = entry.file_size(gone);
    if (!gone) total += size;
  }
  return total;
}

TEST_CASE("A thousand process starts a minute stay below the limit and 5 percent",
          "[history][slow][T-S01][T-S03]") {
  Recording recording;
  recording.keeps_all = false;
  history::RetentionPolicy policy;
  policy.max_bytes = history::kMinStoreBytes;
  auto opened = history::Maintenance::open(recording.directory.path(), policy);
  REQUIRE(opened);
  const auto limit = static_cast<std::uintmax_t>(policy.max_bytes) * 105 / 100;
  std::uintmax_t largest = 0;
  std::int64_t next = 10'000;
  std::deque<std::string> lasting, brief;
  const auto stop_oldest = [&](std::deque<std::string>& queue, std::size_t kept) {
    for (; queue.size() > kept; queue.pop_front()) recording.machine.stop_process(queue.front());
  };
  for (int second = 0; second < 12 * 3600; ++second) {
    // One in four lives for ten seconds and gets a history, the others for two.
    for (int i = 0; i < 17; ++i) {
      auto& queue = next % 4 == 0 ? lasting : brief;
      queue.push_back("job-" + std::to_string(next % 300) + ":" + std::to_string(next) + "@" +
                      std::to_string(next));
      recording.machine.start_process(queue.back());
      ++next;
    }
    stop_oldest(lasting, 42);
    stop_oldest(brief, 25);
    recording.run(1);
    for (int slice = 0; slice < 20; ++slice) {
      const auto more = (*opened)->step(recording.machine.wall_ms());
      if (!more) FAIL(more.error().message);
      if (!*more) break;
    }
    if (second % 10 == 0) largest = std::max(largest, directory_size(recording.directory.path()));
  }
  INFO("largest: " << largest << " bytes");
  CHECK(largest <= limit);
  const auto status = (*opened)->status();
  CHECK(status.max_bytes == policy.max_bytes);
  CHECK(status.bytes_per_day > 0);
  // The newest window is there whatever had to go.
  const auto answer = recording.query(
      raw_request({"disk(vda)/reads/s"}, recording.machine.wall_ms() - 900'000, recording.machine.wall_ms()));
  CHECK(answer.time_ms.size() >= 890);
}

}  // namespace
}  // namespace countertop::test
