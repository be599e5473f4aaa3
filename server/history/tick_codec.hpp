// The snapshots of one second as one blob: the value of a row in the `tick` table.
//
// Sparse differences against the tick before, so that a second costs a few hundred bytes; a key tick stands
// alone.
//   codec byte | flags (1 = key) | records | check sum
//   record: varint object | clocks | varint body size | body
//   clocks: mask of changed clocks, zigzag differences against the record before (of any object)
//   body: varint layout | [edits] | varint changed rows | for each: varint rows skipped, varint mask of
//   changed
//     fields, a number for each: 0 = no value any more, else the zigzag difference (zigzag value after no
//     value)
//   edits (layout 1): varint fields | varint removed, gaps between their places | varint added, zigzag
//   differences
//     of their ids
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "collectors/core/result.hpp"
#include "collectors/core/snapshot.hpp"
#include "server/history/bytes.hpp"

namespace countertop::history {

inline constexpr std::uint8_t kTickCodec = 1;
inline constexpr std::uint32_t kTicksPerKey = 60;
/// Limits of encoder and decoder, for one blob and for what is remembered between blobs.
inline constexpr std::size_t kMaxTickObjects = 4096;
inline constexpr std::size_t kMaxTickFields = 64;
inline constexpr std::size_t kMaxTickInstances = std::size_t{1} << 16;  // of one object
inline constexpr std::size_t kMaxTickValues = std::size_t{1} << 22;     // of all objects together

/// One object's snapshot as the history knows it. Borrowed from whoever made it.
struct TickRecord {
  std::uint32_t object = 0;  // id of the object's definition row
  TimeBase time;
  std::size_t fields = 0;                    // 1 to kMaxTickFields; constant for an object id
  std::span<const std::uint32_t> instances;  // instance ids, unique inside the record
  std::span<const std::int64_t> values;      // row-major: instances.size() * fields
};

/// Writes ticks in order. Not for two threads at once. Usage: begin, add for each snapshot, finish.
class TickEncoder {
 public:
  TickEncoder();
  ~TickEncoder();
  TickEncoder(TickEncoder&&) noexcept;
  TickEncoder& operator=(TickEncoder&&) noexcept;

  /// The next tick becomes a key tick. Call it after a tick could not be stored (the reader never saw it) and
  /// at the first tick of a window. Otherwise every kTicksPerKey-th tick is one.
  void restart() { key_is_due_ = true; }

  void begin();
  /// An object may be added several times in one tick (late or sub-second samples). The order of instances
  /// may differ between records; readers see survivors in their old order and newcomers after them.
  [[nodiscard]] Result<void> add(const TickRecord& record);
  struct Tick {
    bool is_key = false;
    ByteView bytes;  // valid until the next begin
  };
  [[nodiscard]] Tick finish();

 private:
  class ObjectEncoder;

  std::unordered_map<std::uint32_t, std::unique_ptr<ObjectEncoder>> objects_;
  Bytes blob_, body_;
  TimeBase last_time_;
  std::uint32_t ticks_since_key_ = 0;
  std::size_t value_count_ = 0;
  bool key_is_due_ = true;
  bool is_key_ = false;
};

/// Replays ticks in order from a key tick on. Not for two threads at once.
class TickDecoder {
 public:
  /// Called for each record; the record borrows the decoder's state and is valid inside the call only.
  using Visitor = std::function<void(const TickRecord&)>;

  /// Only records of these objects are decoded, the others are skipped. Empty means all. Call before the
  /// first tick.
  void want(std::span<const std::uint32_t> objects);

  /// Reads one tick. A tick that is no key tick needs the one before. After an error the next one must be a
  /// key tick.
  [[nodiscard]] Result<void> replay(ByteView blob, const Visitor& visit);

 private:
  struct ObjectState {
    std::size_t fields = 0;
    std::vector<std::uint32_t> instances;
    std::vector<std::int64_t> values;  // row-major
  };
  [[nodiscard]] bool is_wanted(std::uint32_t object) const;
  [[nodiscard]] bool read_records(ByteReader& reader, const Visitor& visit);
  [[nodiscard]] bool read_body(ByteReader& reader, ObjectState& state);
  [[nodiscard]] bool read_edits(ByteReader& reader, ObjectState& state);
  [[nodiscard]] bool remove_instances(ByteReader& reader, ObjectState& state);

  std::unordered_map<std::uint32_t, ObjectState> objects_;
  std::vector<std::uint32_t> wanted_;  // sorted
  TimeBase last_time_;
  std::size_t value_count_ = 0;
  bool has_key_ = false;
};

/// Whether `blob` is a key tick: for looking for a place to start. False for malformed bytes.
[[nodiscard]] bool is_key_tick(ByteView blob);

}  // namespace countertop::history
