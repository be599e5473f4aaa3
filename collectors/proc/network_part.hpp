// The object `network`, from /proc/net/dev and /sys/class/net.
#pragma once

#include <memory>
#include <string>

#include "collectors/proc/machine_part.hpp"

namespace countertop::proc {

[[nodiscard]] ObjectHandle make_network_object();

/// Where the network files stand in the proc tree. Those of process 1 belong to the machine's own network,
/// also for a reader that lives in a container's; without a foreign root they are our own.
[[nodiscard]] std::string network_folder(FileTree& files, bool foreign_root);

/// `folder` as network_folder.
[[nodiscard]] std::unique_ptr<MachinePart> make_network_part(std::string folder);

}  // namespace countertop::proc
