// /api/v1/processes: who was there at a moment, with everything that is known about them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "server/api/resources.hpp"
#include "server/api/value_text.hpp"
#include "server/query/time_range.hpp"

namespace countertop::api {
namespace {

constexpr std::size_t kUsualRows = 100;
constexpr std::size_t kMostRows = 100'000;

/// "read bytes/s" -> "read_bytes_per_s": what a program can use as a name.
std::string key_of(std::string_view counter) {
  std::string key;
  for (const char c : counter) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_letter) {
      key += c;
    } else if (c == '/') {
      key += "_per_";
    } else if (!key.empty() && key.back() != '_') {
      key += '_';
    }
  }
  return key;
}

struct Order {
  enum class By : std::uint8_t { name, pid, start, counter } by = By::counter;
  std::size_t counter = 0;
  bool is_descending = true;
};

Answered<Order> read_order(const Call& call, const std::vector<std::string>& keys) {
  std::string_view wanted = call.parameters.text("sort").value_or("cpu");
  Order order;
  const bool is_turned = wanted.starts_with('-');
  if (is_turned) wanted.remove_prefix(1);
  order.is_descending = !is_turned;
  if (wanted == "name" || wanted == "pid" || wanted == "start") {
    order.by = wanted == "name" ? Order::By::name : wanted == "pid" ? Order::By::pid : Order::By::start;
    order.is_descending = is_turned;
    return order;
  }
  const auto found = std::ranges::find(keys, wanted);
  if (found == keys.end()) {
    if (keys.empty() && !call.parameters.text("sort")) return Order{Order::By::pid, 0, false};
    std::vector<std::string_view> names{"name", "pid", "start"};
    names.insert(names.end(), keys.begin(), keys.end());
    return tl::unexpected(not_one_of("sort", wanted, names));
  }
  order.counter = static_cast<std::size_t>(found - keys.begin());
  return order;
}

bool comes_before(const Order& order, const query::ProcessRow& a, const query::ProcessRow& b) {
  switch (order.by) {
    case Order::By::name:
      return order.is_descending ? b.name < a.name : a.name < b.name;
    case Order::By::pid:
      return order.is_descending ? b.pid < a.pid : a.pid < b.pid;
    case Order::By::start:
      return order.is_descending ? b.start_s < a.start_s : a.start_s < b.start_s;
    case Order::By::counter:
      break;
  }
  const double left = a.values[order.counter];
  const double right = b.values[order.counter];
  if (std::isnan(left) || std::isnan(right))
    return !std::isnan(left) && std::isnan(right);  // unknown ones last
  return order.is_descending ? right < left : left < right;
}

Answered<query::ProcessTable> read_table(const Call& call) {
  const auto at = call.parameters.text("at");
  if (!at || *at == "now") return call.services.live.processes();
  const auto time = query::parse_time(*at, "at", call.now_ms, call.zone());
  if (!time) return tl::unexpected(bad_parameter("at", time.error().message, time.error().fix));
  auto table = call.services.history.processes(*time);
  if (!table) return tl::unexpected(problem_from(table.error(), "at"));
  return *std::move(table);
}

std::vector<Cell> cells_of(const query::ProcessRow& row) {
  std::vector<Cell> cells{row.name, row.pid, Moment{row.start_s * 1000}};
  cells.insert(cells.end(), row.values.begin(), row.values.end());
  cells.emplace_back(row.brief);
  return cells;
}

}  // namespace

Answered<Response> get_processes(const Call& call) {
  const auto processes = read_table(call);
  if (!processes) return tl::unexpected(processes.error());
  std::vector<std::string> keys;
  for (const std::string& counter : processes->counters) keys.push_back(key_of(counter));
  const auto order = read_order(call, keys);
  if (!order) return tl::unexpected(order.error());
  const auto limit = call.parameters.whole_number("limit", 1, kMostRows);
  if (!limit) return tl::unexpected(limit.error());

  std::vector<std::size_t> sorted(processes->rows.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::ranges::stable_sort(sorted, [&](std::size_t a, std::size_t b) {
    return comes_before(*order, processes->rows[a], processes->rows[b]);
  });
  sorted.resize(std::min(sorted.size(), limit->value_or(kUsualRows)));

  Table table;
  table.columns = {{"name"}, {"pid"}, {"start"}};
  for (std::size_t i = 0; i < keys.size(); ++i) table.columns.push_back({keys[i], processes->units[i]});
  table.columns.push_back({"brief"});
  for (const std::size_t index : sorted) table.rows.push_back(cells_of(processes->rows[index]));
  std::string members = "\"time\":";
  processes->time_ms == 0 ? void(members += "null")
                          : append_json_time(members, processes->time_ms, call.presentation);
  members += ",\"total\":" + std::to_string(processes->rows.size());
  return table_response(call, table, "items", members);
}

}  // namespace countertop::api
