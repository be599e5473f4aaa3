// Any bytes as a block: every view lies inside the bytes, and snapshots of it are sound.
#include <cstdlib>

#include "collectors/perflib/data_block.hpp"
#include "collectors/perflib/snapshot_reader.hpp"

namespace {

using namespace countertop;
using namespace countertop::perflib;

void require(bool holds) {
  if (!holds) std::abort();
}

void require_inside(Bytes part, Bytes whole) {
  require(part.empty() ||
          (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  DataBlock block;
  if (!parse_data_block(bytes, block)) return 0;
  for (const auto& object : block.objects) {
    for (const auto& instance : block.instances_of(object)) {
      require_inside(instance.name, bytes);
      require_inside(instance.counters, bytes);
      for (const auto& counter : block.counters_of(object)) {
        static_cast<void>(read_value(counter, instance));
        static_cast<void>(read_trailing_count(counter, instance));
        require_inside(read_bytes(counter, instance), bytes);
      }
    }
  }
  for (const auto& dropped : block.dropped) require(dropped.offset <= bytes.size());
  SnapshotReader reader;
  const Names names;
  for (int time = 0; time < 2; ++time) {
    const Reading reading = reader.read(block, names);
    for (const auto& snapshot : reading.snapshots) {
      require(why_invalid(*snapshot.object).empty());
      require(snapshot.values.size() == snapshot.instances.size() * snapshot.object->fields.size());
    }
  }
  return 0;
}
