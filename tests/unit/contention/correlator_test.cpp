#include "collectors/contention/correlator.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "collectors/contention/wait_engine.hpp"

using namespace countertop::contention;

namespace {

constexpr std::uint32_t kProcess = 100;
constexpr std::uint64_t kLock = 0x5000;

Event blocked(std::uint32_t thread, std::int64_t time_ns, std::uint64_t lock = kLock) {
  Event event;
  event.kind = EventKind::blocked;
  event.reason = KernelReason::futex;
  event.thread = thread;
  event.process = kProcess;
  event.time_ns = time_ns;
  event.lock_address = lock;
  return event;
}

Event readied(std::uint32_t thread, std::int64_t time_ns, std::uint32_t by_thread) {
  Event event;
  event.kind = EventKind::readied;
  event.thread = thread;
  event.time_ns = time_ns;
  event.by_thread = by_thread;
  event.by_process = kProcess;
  return event;
}

Event resumed(std::uint32_t thread, std::int64_t time_ns, StackId stack = kNoStack) {
  Event event;
  event.kind = EventKind::resumed;
  event.thread = thread;
  event.process = kProcess;
  event.time_ns = time_ns;
  event.stack = stack;
  return event;
}

Event ended(std::uint32_t thread, std::int64_t time_ns) {
  Event event;
  event.kind = EventKind::thread_ended;
  event.thread = thread;
  event.time_ns = time_ns;
  return event;
}

struct World {
  WaitEngine engine{Method::ebpf, 0, 0};

  RawWindow after(const std::vector<Event>& events, std::int64_t to_ns = 1'000'000'000) {
    for (const Event& event : events) engine.add(event);
    return engine.take(to_ns, to_ns / 1'000'000);
  }
};

WaitTotals sum_of(const RawWindow& window) {
  WaitTotals sum = window.other;
  for (const RawGroup& group : window.groups) sum.merge(group.totals);
  return sum;
}

}  // namespace

TEST_CASE("A wait is split where its thread was made ready", "[contention]") {
  World world;
  const auto window = world.after({blocked(1, 1'000), readied(1, 5'000, 2), resumed(1, 7'000)});
  REQUIRE(window.groups.size() == 1);
  const RawGroup& group = window.groups[0];
  CHECK(group.key.process.pid == kProcess);
  CHECK(group.key.lock_address == kLock);
  CHECK(group.key.waker_process.pid == kProcess);
  CHECK(group.totals.waits == 1);
  CHECK(group.totals.total_ns == 6'000);
  CHECK(group.totals.run_queue_ns == 2'000);
  CHECK(group.totals.max_ns == 6'000);
  CHECK(group.totals.cut == 0);
  REQUIRE(window.threads.size() == 1);
  CHECK(window.threads[0].by_thread == 2);
  CHECK(window.threads[0].total_ns == 6'000);
  CHECK(window.quality.events == 3);
}

TEST_CASE("A readied that is stamped before its blocked belongs to it, an old one does not", "[contention]") {
  World near;
  const auto together = near.after({readied(1, 2'000'000, 2), blocked(1, 2'000'400), resumed(1, 2'009'400)});
  REQUIRE(together.groups.size() == 1);
  CHECK(together.groups[0].totals.total_ns == 9'000);
  CHECK(together.groups[0].totals.run_queue_ns == 9'000);

  World far;
  const auto apart = far.after({readied(1, 2'000'000, 2), blocked(1, 4'000'000), resumed(1, 4'009'000)});
  REQUIRE(apart.groups.size() == 1);
  CHECK(apart.groups[0].totals.run_queue_ns == 0);
  CHECK(apart.groups[0].key.waker_process.pid == 0);
  CHECK(apart.threads[0].by_thread == 0);
}

TEST_CASE("A resumed that arrives before its blocked still ends it", "[contention]") {
  World world;
  const auto window = world.after({resumed(1, 9'000), blocked(1, 2'000), blocked(1, 20'000)}, 30'000);
  const auto sum = sum_of(window);
  CHECK(sum.waits == 1);
  CHECK(sum.cut == 1);
  CHECK(sum.total_ns == 7'000 + 10'000);
  CHECK(window.quality.unpaired_waits == 0);
}

TEST_CASE("A thread that was preempted waited for nothing", "[contention]") {
  World world;
  const auto window =
      world.after({resumed(1, 1'000), resumed(1, 5'000), blocked(1, 6'000), resumed(1, 8'000)});
  CHECK(sum_of(window).waits == 1);
  CHECK(sum_of(window).total_ns == 2'000);
}

TEST_CASE("A wait that is open at a window's end is cut there and goes on in the next", "[contention]") {
  World world;
  world.engine.set_process({kProcess, 77}, {"bank", "/usr/bin/bank"});
  const auto first = world.after({blocked(1, 600)}, 1'000);
  REQUIRE(first.groups.size() == 1);
  CHECK(first.groups[0].totals.cut == 1);
  CHECK(first.groups[0].totals.waits == 0);
  CHECK(first.groups[0].totals.total_ns == 400);
  CHECK(first.groups[0].totals.histogram == Histogram{});
  CHECK(first.processes.at({kProcess, 77}).name == "bank");

  const auto second = world.after({}, 2'000);
  CHECK(sum_of(second).total_ns == 1'000);
  CHECK(sum_of(second).cut == 1);

  const auto third = world.after({readied(1, 2'200, 2), resumed(1, 2'300)}, 3'000);
  CHECK(sum_of(third).total_ns == 300);
  CHECK(sum_of(third).run_queue_ns == 100);
  CHECK(sum_of(third).waits == 1);
  CHECK(sum_of(third).cut == 0);
  CHECK(sum_of(third).max_ns == 1'700);
  CHECK(third.from_ns == 2'000);
  CHECK(sum_of(world.after({}, 4'000)).total_ns == 0);
}

TEST_CASE("Stacks of open waits live on in the next window", "[contention]") {
  World world;
  const std::vector<std::uint64_t> stack{0x10, 0x20}, waker{0x30};
  Event wait = blocked(1, 100);
  wait.stack = world.engine.intern(stack);
  Event release = readied(1, 900, 2);
  release.stack = world.engine.intern(waker);
  const auto first = world.after({wait, release}, 1'000);
  const auto second = world.after({resumed(1, 1'500)}, 2'000);
  for (const RawWindow* window : {&first, &second}) {
    REQUIRE(window->groups.size() == 1);
    const WaitKey& key = window->groups[0].key;
    const auto frames = window->stacks.frames(key.wait_stack);
    CHECK(std::vector<std::uint64_t>(frames.begin(), frames.end()) == stack);
    CHECK(window->stacks.frames(key.waker_stack).front() == 0x30);
  }
}

TEST_CASE("A waker that is an interrupt blames nobody", "[contention]") {
  World world;
  Event release = readied(1, 5'000, 2);
  release.by_interrupt = true;
  const auto window = world.after({blocked(1, 1'000), release, resumed(1, 6'000)});
  REQUIRE(window.groups.size() == 1);
  CHECK(window.groups[0].key.woken_by_interrupt);
  CHECK(window.groups[0].key.waker_process.pid == 0);
  CHECK(window.groups[0].totals.run_queue_ns == 1'000);
  CHECK(window.threads[0].by_thread == 0);
}

TEST_CASE("A lost resumed loses one wait, which is counted", "[contention]") {
  World world;
  const auto window = world.after({blocked(1, 1'000), blocked(1, 50'000), resumed(1, 51'000)});
  CHECK(sum_of(window).waits == 1);
  CHECK(sum_of(window).total_ns == 1'000);
  CHECK(window.quality.unpaired_waits == 1);
}

TEST_CASE("A thread id that is used again starts anew", "[contention]") {
  World told;
  CHECK(sum_of(told.after({blocked(1, 1'000), ended(1, 2'000), resumed(1, 9'000)})).waits == 0);
  World untold;
  Event other = resumed(1, 9'000);
  other.process = kProcess + 1;
  CHECK(sum_of(untold.after({blocked(1, 1'000), other})).waits == 0);
}

TEST_CASE("A thread's waits are never longer than the time that passed", "[contention]") {
  // Threads that migrate, events of two CPUs that arrive up to 1 ms late, lost ones, odd ones.
  std::mt19937 random(42);
  World world;
  std::int64_t now_ns = 0;
  for (int window_number = 0; window_number < 50; ++window_number) {
    const std::int64_t from_ns = now_ns;
    for (int i = 0; i < 2'000; ++i) {
      now_ns += random() % 2'000;
      const std::uint32_t thread = 1 + random() % 8;
      const std::int64_t late_ns = std::max<std::int64_t>(now_ns - random() % 1'000'000, from_ns);
      switch (random() % 3) {
        case 0:
          world.engine.add(blocked(thread, late_ns, random() % 4));
          break;
        case 1:
          world.engine.add(readied(thread, late_ns, 1 + random() % 8));
          break;
        default:
          world.engine.add(resumed(thread, late_ns));
      }
    }
    const RawWindow window = world.engine.take(now_ns, now_ns);
    std::map<std::uint32_t, std::uint64_t> waited_ns;
    for (const ThreadWait& wait : window.threads) waited_ns[wait.thread] += wait.total_ns;
    for (const auto& [thread, total_ns] : waited_ns) {
      CAPTURE(window_number, thread);
      CHECK(total_ns <= static_cast<std::uint64_t>(now_ns - from_ns));
    }
  }
}

TEST_CASE("Beyond the cap of threads further ones are counted as lost", "[contention]") {
  WaitEngine engine(Method::ebpf, 0, 0, {.threads = 2});
  for (std::uint32_t thread = 1; thread <= 3; ++thread) engine.add(blocked(thread, 100));
  engine.add(ended(1, 200));
  engine.add(blocked(4, 300));
  const RawWindow window = engine.take(1'000, 0);
  CHECK(window.quality.lost_events == 1);
  CHECK(sum_of(window).cut == 2);
}

TEST_CASE("A process id that is used again is another process", "[contention]") {
  World world;
  world.engine.set_process({kProcess, 1}, {"old", ""});
  for (const Event& event : {blocked(1, 100), resumed(1, 200)}) world.engine.add(event);
  world.engine.end_process(kProcess);
  world.engine.set_process({kProcess, 2}, {"new", ""});
  const auto window = world.after({blocked(2, 300), resumed(2, 500)});
  REQUIRE(window.groups.size() == 2);
  CHECK(window.processes.at({kProcess, 1}).name == "old");
  CHECK(window.processes.at({kProcess, 2}).name == "new");
  // The one that ended is forgotten with its window.
  CHECK(world.after({blocked(2, 1'000'000'100), resumed(2, 1'000'000'200)}, 2'000'000'000).processes.size() ==
        1);
}
