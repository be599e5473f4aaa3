// One reader of /api/v1/stream, from the first event to the last.
//
//   hello   {time, interval, columns: [{path, unit, object, instance, counter}]}   at once
//   reset   {reason}                                         what was missed cannot be given again: load anew
//   sample  {t, v: {path: number or null}}                   id: the sample's time
//   gap     {from, to, reason}                               no samples in between
//   mark    {id, time, until, kind, text}
//   lagged  {missed}                                         the reader was too slow; the last event
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/call.hpp"

namespace countertop::api {

struct StreamRequest {
  std::vector<query::CounterPath> series;
  std::optional<std::int64_t> since_ms;  // the last sample that the client has
  std::int64_t interval_ms = 0;          // at least so long between samples; 0: every one
};

class EventStream {
 public:
  /// `write` and everything in `services` must outlive run().
  EventStream(const Services& services, Counters& counters, const StreamRequest& request, const Write& write,
              const std::stop_token& stop);

  /// Until the client goes, lags or a stop is requested.
  [[nodiscard]] StreamEnd run();

 private:
  [[nodiscard]] bool send(std::string_view event, std::string_view data,
                          std::optional<std::int64_t> id_ms = {});
  [[nodiscard]] bool write(std::string_view text);
  [[nodiscard]] bool send_hello();
  [[nodiscard]] bool send_reset(std::string_view reason);
  [[nodiscard]] bool send_sample(std::int64_t time_ms, std::string_view values);
  [[nodiscard]] bool send_marks();
  [[nodiscard]] bool send_gap_before(std::int64_t time_ms);
  [[nodiscard]] bool send_live();
  [[nodiscard]] bool catch_up();
  [[nodiscard]] bool send_rows(const query::Answer& answer);
  [[nodiscard]] StreamEnd follow();

  const Services& services_;
  Counters& counters_;
  const StreamRequest& request_;
  const Write& write_;
  const std::stop_token stop_;
  std::int64_t last_sent_ms_ = 0;  // time of the last sample that the client has; 0: none
  std::uint64_t sequence_ = 0;     // of the live tail
  std::uint64_t mark_sequence_ = 0;
  std::chrono::steady_clock::time_point last_write_;
};

}  // namespace countertop::api
