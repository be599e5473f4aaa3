// Every collector of this room, in one table.
#pragma once

#include <memory>
#include <vector>

#include "collectors/core/collector.hpp"
#include "collectors/proc/host_view.hpp"
#include "collectors/proc/proc_root.hpp"

namespace countertop::proc {

struct LinuxCollectorOptions {
  bool network_filesystems = false;  // also those whose answer may take for ever
};

/// Each runs on its own thread and fails on its own.
[[nodiscard]] std::vector<std::unique_ptr<Collector>> make_linux_collectors(
    const ProcRoot& root, const LinuxCollectorOptions& options = {});

/// Whose numbers these collectors show. Looks at the machine each time.
[[nodiscard]] HostView view_host(const ProcRoot& root);

}  // namespace countertop::proc
