// One of the cheap parts of the machine that share a thread: each reads its own files and fails on its own.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/core/collector.hpp"
#include "collectors/proc/file_tree.hpp"

namespace countertop::proc {

struct PartReading {
  FileTree& files;
  const Clock& clock;
  Collected& out;
};

class MachinePart {
 public:
  MachinePart() = default;
  MachinePart(const MachinePart&) = delete;
  MachinePart& operator=(const MachinePart&) = delete;
  virtual ~MachinePart() = default;

  /// For people: what is missing when it fails.
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::vector<ObjectHandle> objects() const = 0;
  /// Appends to reading.out. An Error means that it gave nothing; ErrorCode::unavailable or not_found that
  /// this machine has no such thing, so that it is asked again only once in a while.
  [[nodiscard]] virtual Result<void> read(PartReading& reading) = 0;
};

/// Times a reading: to be called just before the file is read.
[[nodiscard]] inline Snapshot begin_snapshot(const ObjectHandle& object, const TimeBase& time) {
  Snapshot snapshot;
  snapshot.object = object;
  snapshot.time = time;
  return snapshot;
}

inline void add_instance(Snapshot& snapshot, std::string name, std::span<const std::int64_t> values) {
  snapshot.instances.push_back({std::move(name), false});
  snapshot.values.insert(snapshot.values.end(), values.begin(), values.end());
}

}  // namespace countertop::proc
