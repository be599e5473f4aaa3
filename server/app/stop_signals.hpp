// SIGINT and SIGTERM as something one waits for.
#pragma once

namespace countertop::app {

/// To be called before any thread is started: from then on the two signals only end `wait_for_stop_signal`.
/// SIGPIPE is ignored; a client that goes away is an error of its own connection.
void hold_stop_signals();

/// Waits for one of them; its name. A second one, once this has returned, ends the process at once.
[[nodiscard]] const char* wait_for_stop_signal();

}  // namespace countertop::app
