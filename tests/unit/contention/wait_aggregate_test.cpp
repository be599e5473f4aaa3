#include "collectors/contention/wait_aggregate.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace countertop::contention;

namespace {

Wait wait_of(std::uint32_t thread, std::uint64_t lock, std::uint64_t length_ns, std::uint32_t by_thread = 0) {
  Wait wait;
  wait.key.process = {10, 1};
  wait.key.reason = KernelReason::futex;
  wait.key.lock_address = lock;
  wait.thread = thread;
  wait.by_thread = by_thread;
  wait.in_window_ns = wait.whole_ns = length_ns;
  return wait;
}

}  // namespace

TEST_CASE("Equal waits are one group, at the cap the rest is other", "[contention]") {
  WaitAggregate aggregate(2, 100);
  for (const std::uint64_t lock : {1, 2, 1, 3, 4, 2}) aggregate.add(wait_of(5, lock, 10 * lock));
  RawWindow window;
  aggregate.take(window);
  REQUIRE(window.groups.size() == 2);
  CHECK(window.groups[0].totals.waits == 2);
  CHECK(window.groups[0].totals.total_ns == 20);
  CHECK(window.groups[1].totals.total_ns == 40);
  CHECK(window.other.waits == 2);
  CHECK(window.other.total_ns == 70);
  // The thread's time is whole, also where its locks have no place.
  std::uint64_t total_ns = 0;
  for (const ThreadWait& thread : window.threads) total_ns += thread.total_ns;
  CHECK(total_ns == 130);

  aggregate.take(window);
  CHECK(window.groups.empty());
  CHECK(window.threads.empty());
  CHECK(window.other.waits == 0);
}

TEST_CASE("Of a thread's releasers the one that ended most of its waiting time stays", "[contention]") {
  WaitAggregate aggregate;
  aggregate.add(wait_of(1, 7, 100, 0));
  aggregate.add(wait_of(1, 7, 30, 3));
  aggregate.add(wait_of(1, 7, 40, 2));
  aggregate.add(wait_of(1, 7, 25, 3));
  aggregate.add(wait_of(1, 8, 1, 9));
  aggregate.add(wait_of(2, 7, 1));
  RawWindow window;
  aggregate.take(window);
  REQUIRE(window.threads.size() == 3);
  CHECK(window.threads[0].thread == 1);
  CHECK(window.threads[0].lock_address == 7);
  CHECK(window.threads[0].by_thread == 3);
  CHECK(window.threads[0].waits == 4);
  CHECK(window.threads[0].total_ns == 195);
  CHECK(window.threads[1].by_thread == 9);
  CHECK(window.threads[2].by_thread == 0);
}

TEST_CASE("A wait that goes on is counted where it ends, with its whole length", "[contention]") {
  WaitAggregate aggregate;
  Wait open = wait_of(1, 7, 400);
  open.is_open = true;
  aggregate.add(open);
  RawWindow first;
  aggregate.take(first);
  CHECK(first.groups[0].totals.waits == 0);
  CHECK(first.groups[0].totals.cut == 1);

  Wait rest = wait_of(1, 7, 100);
  rest.whole_ns = 5'000;
  aggregate.add(rest);
  RawWindow second;
  aggregate.take(second);
  CHECK(second.groups[0].totals.total_ns == 100);
  CHECK(second.groups[0].totals.histogram.counts()[Histogram::bucket_of(5'000)] == 1);

  WaitTotals both = first.groups[0].totals;
  both.merge(second.groups[0].totals);
  CHECK(both.waits == 1);
  CHECK(both.total_ns == 500);
  CHECK(both.max_ns == 5'000);
}
