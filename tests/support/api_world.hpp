// A small machine behind the API: two CPUs, a memory, disks with nasty names and a few processes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "server/api/api.hpp"
#include "tests/support/fake_history.hpp"
#include "tests/support/manual_clock.hpp"

namespace countertop::test {

inline constexpr std::int64_t kNowMs = 1'764'504'000'000;  // 2025-11-30T12:00:00Z
inline constexpr std::string_view kToken = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

[[nodiscard]] ObjectHandle make_cpu();
[[nodiscard]] ObjectHandle make_memory();
[[nodiscard]] ObjectHandle make_disk();
[[nodiscard]] ObjectHandle make_processes();

class ApiWorld {
 public:
  explicit ApiWorld(api::AccessPolicy policy = default_policy());

  [[nodiscard]] static api::AccessPolicy default_policy();

  /// The next second: every object is read once more.
  void tick();
  void tick(std::int64_t wall_ms);

  /// Host is set; names of `headers` in lower case.
  [[nodiscard]] api::Response get(std::string_view target,
                                  const std::map<std::string, std::string>& headers = {});
  [[nodiscard]] api::Response send(std::string_view method, std::string_view target,
                                   const std::map<std::string, std::string>& headers = {},
                                   std::string_view body = {});
  /// With the token and a JSON body.
  [[nodiscard]] api::Response write(std::string_view method, std::string_view target,
                                    std::string_view body = {});

  ManualClock clock;
  FakeHistory history;
  query::LiveTail live;
  api::MarkLog marks;
  api::ProgramStatus status;
  std::unique_ptr<api::Api> api;

 private:
  std::int64_t ticks_ = 0;
};

/// Everything that a stream writes until it ends by itself.
struct Written {
  std::string text;
  api::StreamEnd end = api::StreamEnd::complete;
};
[[nodiscard]] Written run_stream(const api::Response& response, const std::stop_token& stop = {});

}  // namespace countertop::test
