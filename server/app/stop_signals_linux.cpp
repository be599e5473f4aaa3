#include <pthread.h>

#include <csignal>

#include "server/app/stop_signals.hpp"

namespace countertop::app {
namespace {

sigset_t stop_set() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

void hold_stop_signals() {
  const sigset_t set = stop_set();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

const char* wait_for_stop_signal() {
  const sigset_t set = stop_set();
  int signal = 0;
  while (sigwait(&set, &signal) != 0) {
  }
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  return signal == SIGINT ? "SIGINT" : "SIGTERM";
}

}  // namespace countertop::app
