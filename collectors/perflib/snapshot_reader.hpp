// From blocks to snapshots. Remembers each object's mapping and the instances it saw last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "collectors/core/snapshot.hpp"
#include "collectors/perflib/data_block.hpp"
#include "collectors/perflib/name_table.hpp"
#include "collectors/perflib/object_mapping.hpp"

namespace countertop::perflib {

struct Reading {
  std::vector<Snapshot> snapshots;
  std::size_t quarantined = 0;  // rows of dying or doubled processes
  std::vector<std::string>
      left_out;  // counters that cannot be shown; only when an object is seen the first time
};

class SnapshotReader {
 public:
  /// Snapshots of the block's objects, of those in `wanted` only unless it is empty: a block may hold what
  /// nobody asked for. `names` must be the same over the reader's life. Time is the block's own.
  [[nodiscard]] Reading read(const DataBlock& block, const Names& names,
                             const std::unordered_set<std::uint32_t>& wanted = {});

 private:
  struct Known {
    ObjectMapping mapping;
    std::unordered_set<std::string> instances;  // of the previous reading
    bool was_read = false;
  };

  void read_object(const DataBlock& block, const ObjectView& object, const Names& names, Reading& reading);

  std::map<std::uint32_t, Known> known_;  // by name index
};

}  // namespace countertop::perflib
