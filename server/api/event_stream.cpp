#include "server/api/event_stream.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "server/api/answer_text.hpp"
#include "server/api/mark_text.hpp"
#include "server/api/value_text.hpp"
#include "server/query/gaps.hpp"

namespace countertop::api {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kHeartbeat{15'000};
constexpr std::int64_t kMostBackfillMs = 3'600'000;
/// A reader that missed this many samples while one was being sent to it will not catch up.
constexpr std::uint64_t kMostMissed = 10;
/// How long the writer may need until the history has what the live tail has.
constexpr int kCatchUpRounds = 20;
constexpr milliseconds kCatchUpPause{200};
/// What different collectors read in the same tick lies within this part of the interval.
constexpr std::int64_t kTickPart = 2;

void append_column(std::string& out, const query::LatestValue& value) {
  const auto member = [&](std::string_view name, std::string_view text) {
    out += ",\"" + std::string(name) + "\":";
    append_json_text(out, text);
  };
  out += "{\"path\":";
  append_json_text(out, value.path);
  member("unit", value.unit);
  member("object", value.object);
  member("instance", value.instance);
  member("counter", value.counter);
  out += '}';
}

void append_value(std::string& out, std::string_view path, double value) {
  if (!out.empty()) out += ',';
  append_json_text(out, path);
  out += ':';
  append_json_number(out, value);
}

/// One value for each series, out of rows that belong together.
class TickValues {
 public:
  TickValues(const query::Answer& answer, std::size_t row)
      : values_(answer.series.size(), std::nan("")), first_ms_(answer.time_ms[row]), time_ms_(first_ms_) {
    static_cast<void>(add(answer, row));
  }

  /// False when a series has a value already: the row is of another tick, as after a restart.
  bool add(const query::Answer& answer, std::size_t row) {
    const auto value_of = [&](std::size_t i) { return answer.series[i].columns.front()[row]; };
    bool has_value = false;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (std::isnan(value_of(i))) continue;
      if (!std::isnan(values_[i])) return false;
      has_value = true;
    }
    if (!has_value) return true;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (!std::isnan(value_of(i))) values_[i] = value_of(i);
    }
    time_ms_ = answer.time_ms[row];
    return true;
  }

  [[nodiscard]] std::int64_t first_ms() const { return first_ms_; }
  [[nodiscard]] std::int64_t time_ms() const { return time_ms_; }
  [[nodiscard]] std::string text(const query::Answer& answer) const {
    std::string out;
    for (std::size_t i = 0; i < values_.size(); ++i) append_value(out, answer.series[i].path, values_[i]);
    return out;
  }

 private:
  std::vector<double> values_;
  std::int64_t first_ms_, time_ms_;
};

}  // namespace

EventStream::EventStream(const Services& services, Counters& counters, const StreamRequest& request,
                         const Write& write, const std::stop_token& stop)
    : services_(services), counters_(counters), request_(request), write_(write), stop_(stop) {}

bool EventStream::send(std::string_view event, std::string_view data, std::optional<std::int64_t> id_ms) {
  std::string text;
  if (id_ms) {
    text += "id: ";
    append_unix_seconds(text, *id_ms);
    text += '\n';
  }
  text += "event: ";
  text += event;
  text += "\ndata: ";
  text += data;  // JSON: no line break in it
  text += "\n\n";
  return write(text);
}

bool EventStream::write(std::string_view text) {
  last_write_ = steady_clock::now();
  return write_(text);
}

bool EventStream::send_hello() {
  std::string data = "{\"time\":";
  append_unix_seconds(data, services_.clock.wall_ms());
  data += ",\"interval\":";
  append_unix_seconds(data, std::max(services_.interval_ms, request_.interval_ms));
  data += ",\"columns\":[";
  if (const auto answer = services_.live.latest(request_.series)) {
    for (std::size_t i = 0; i < answer->values.size(); ++i) {
      if (i > 0) data += ',';
      append_column(data, answer->values[i]);
    }
  }
  return write("retry: 3000\n") && send("hello", data + "]}");
}

bool EventStream::send_reset(std::string_view reason) {
  std::string data = "{\"reason\":";
  append_json_text(data, reason);
  return send("reset", data + "}");
}

bool EventStream::send_sample(std::int64_t time_ms, std::string_view values) {
  std::string data = "{\"t\":";
  append_unix_seconds(data, time_ms);
  data += ",\"v\":{";
  data += values;
  data += "}}";
  last_sent_ms_ = time_ms;
  return send("sample", data, time_ms);
}

bool EventStream::send_marks() {
  for (const MarkLog::Entry& entry : services_.marks.newer_than(mark_sequence_)) {
    mark_sequence_ = entry.sequence;
    if (!send("mark", mark_json(entry.mark, {}))) return false;
  }
  return true;
}

bool EventStream::send_gap_before(std::int64_t time_ms) {
  const std::int64_t interval = std::max(services_.interval_ms, request_.interval_ms);
  if (last_sent_ms_ == 0 || time_ms - last_sent_ms_ <= 2 * interval) return true;
  const std::array<std::int64_t, 2> times{last_sent_ms_, time_ms};
  std::vector<Mark> marks;
  for (const MarkLog::Entry& entry : services_.marks.newer_than(0)) marks.push_back(entry.mark.mark);
  std::ranges::stable_sort(marks, {}, &Mark::wall_ms);
  for (const query::Gap& gap : query::find_gaps(times, {last_sent_ms_, time_ms}, interval, marks)) {
    if (!send("gap", gap_json(gap, {}))) return false;
  }
  return true;
}

bool EventStream::send_live() {
  const auto answer = services_.live.latest(request_.series);
  if (!answer) return true;  // an object that is not there yet
  if (answer->time_ms <= last_sent_ms_) return true;
  const std::int64_t tolerance = services_.interval_ms / 4;
  if (request_.interval_ms > 0 && answer->time_ms - last_sent_ms_ < request_.interval_ms - tolerance)
    return true;
  if (!send_gap_before(answer->time_ms)) return false;
  std::string values;
  for (const query::LatestValue& value : answer->values) append_value(values, value.path, value.value);
  return send_sample(answer->time_ms, values);
}

/// Rows of one tick (objects are read a few milliseconds after another) become one sample, which bears the
/// time of the latest value, as a live sample does.
bool EventStream::send_rows(const query::Answer& answer) {
  const std::size_t rows = answer.time_ms.size();
  const std::int64_t same_tick_ms = std::max<std::int64_t>(services_.interval_ms / kTickPart, 1);
  for (std::size_t row = 0; row < rows;) {
    TickValues tick(answer, row);
    while (++row < rows && answer.time_ms[row] - tick.first_ms() < same_tick_ms && tick.add(answer, row)) {
    }
    const std::int64_t time_ms = tick.time_ms();
    if (time_ms <= last_sent_ms_) continue;
    if (request_.interval_ms > 0 &&
        time_ms - last_sent_ms_ < request_.interval_ms - services_.interval_ms / 4)
      continue;
    if (!send_gap_before(time_ms) || !send_sample(time_ms, tick.text(answer))) return false;
  }
  return true;
}

/// What was missed, out of the history, until it meets the live tail: no hole and nothing twice.
bool EventStream::catch_up() {
  const std::int64_t now_ms = services_.clock.wall_ms();
  if (*request_.since_ms > now_ms + 1000 || now_ms - *request_.since_ms > kMostBackfillMs) {
    return send_reset("The last sample is more than an hour ago: load the range anew.");
  }
  last_sent_ms_ = *request_.since_ms;
  for (int round = 0; round < kCatchUpRounds; ++round) {
    query::Request request;
    request.series = request_.series;
    request.range = {last_sent_ms_ + 1, services_.clock.wall_ms() + 1};
    request.grid = {request.range.from_ms, 0, 0, {}};
    request.max_points = 4'000'000;
    if (request.range.from_ms >= request.range.to_ms) return true;
    const auto answer = services_.history.query(request, stop_);
    if (!answer) return send_reset("What was missed cannot be read: " + answer.error().message);
    if (!send_rows(*answer)) return false;
    // Done when the live tail has at most one sample that was not sent: that one comes next.
    const auto live = services_.live.latest(request_.series);
    if (!live || live->time_ms - last_sent_ms_ < services_.interval_ms + services_.interval_ms / kTickPart)
      return true;
    static_cast<void>(services_.live.wait_newer(services_.live.sequence(), kCatchUpPause, stop_));
    if (stop_.stop_requested()) return false;
  }
  return true;
}

StreamEnd EventStream::follow() {
  for (;;) {
    const auto silence = std::chrono::duration_cast<milliseconds>(steady_clock::now() - last_write_);
    const auto newer =
        services_.live.wait_newer(sequence_, std::max(kHeartbeat - silence, milliseconds(0)), stop_);
    if (stop_.stop_requested()) return StreamEnd::complete;
    if (steady_clock::now() - last_write_ >= kHeartbeat && !write(": still here\n\n"))
      return StreamEnd::broken;
    if (!newer) continue;
    const std::uint64_t missed = sequence_ == 0 ? 0 : *newer - sequence_ - 1;
    sequence_ = *newer;
    if (missed >= kMostMissed) {
      counters_.lagged.fetch_add(1);
      static_cast<void>(send("lagged", "{\"missed\":" + std::to_string(missed) + "}"));
      return StreamEnd::complete;
    }
    if (!send_marks() || !send_live()) return StreamEnd::broken;
  }
}

StreamEnd EventStream::run() {
  mark_sequence_ = services_.marks.sequence();
  if (!send_hello()) return StreamEnd::broken;
  if (request_.since_ms && !catch_up()) return StreamEnd::broken;
  sequence_ = services_.live.sequence();
  if (!send_live()) return StreamEnd::broken;
  return follow();
}

}  // namespace countertop::api
