// Which series a row belongs to. The registry gives equal names to many things; only what identifies a thing
// for good may name its series, or a rate would be taken between two different processes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/core/snapshot.hpp"
#include "collectors/perflib/data_block.hpp"

namespace countertop::perflib {

struct NamedInstances {
  /// One for each instance of the object; empty = the row is in quarantine: process 0 under another name than
  /// Idle and _Total (a process that is being torn down), or the same process twice.
  std::vector<std::string> names;
  std::size_t quarantined = 0;
};

/// Process: NAME:PID@START, START in Unix seconds, from `ID Process` and `Elapsed Time`, whose raw value is
/// the start as a FILETIME. Thread: PROCESS:PID/TID@START. All others: parent/name; equal names are told
/// apart by unique id where the provider gives one, else by their order: "name#1" as PDH does.
[[nodiscard]] NamedInstances name_instances(const DataBlock& block, const ObjectView& object);

/// The name of the instance's parent; nullopt where it has none in this block.
[[nodiscard]] std::optional<std::string> parent_name(const DataBlock& block, const InstanceView& instance);

/// Unix milliseconds of a FILETIME; 0 for what lies before 1970.
[[nodiscard]] std::int64_t unix_ms_from_filetime(std::int64_t filetime);

}  // namespace countertop::perflib
