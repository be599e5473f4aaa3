#include "collectors/core/bounded_queue.hpp"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <thread>

namespace countertop {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

TEST_CASE("A full queue lets the oldest go and counts it", "[queue]") {
  BoundedQueue<int> queue(2);
  queue.push(1);
  queue.push(2);
  queue.push(3);
  CHECK(queue.size() == 2);
  CHECK(queue.dropped() == 1);
  CHECK(queue.try_pop() == 2);
  CHECK(queue.try_pop() == 3);
  CHECK_FALSE(queue.try_pop().has_value());
}

TEST_CASE("Waiting for an item ends with the item, the deadline or a stop request", "[queue]") {
  BoundedQueue<int> queue(4);
  std::stop_source stop;
  CHECK_FALSE(queue.pop_until(steady_clock::now(), stop.get_token()).has_value());
  {
    const std::jthread producer([&] { queue.push(7); });
    CHECK(queue.pop_until(steady_clock::now() + 1h, stop.get_token()) == 7);
  }
  const std::jthread stopper([&] { stop.request_stop(); });
  CHECK_FALSE(queue.pop_until(steady_clock::now() + 1h, stop.get_token()).has_value());
}

}  // namespace
}  // namespace countertop
