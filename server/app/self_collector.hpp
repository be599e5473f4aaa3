// The program's own cost as objects like any other: `countertop` and, per collector, `countertop collector`.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "collectors/core/collector.hpp"

namespace countertop::app {

/// What only the running program knows.
struct SelfReadings {
  std::vector<CollectorStatus> collectors;
  std::int64_t queue_length = 0;
  std::int64_t dropped_readings = 0;
  std::int64_t store_bytes = 0;
  std::int64_t wal_bytes = 0;
  std::int64_t requests = 0;
  std::int64_t streams = 0;
};

class SelfCollector final : public Collector {
 public:
  /// `read` is called on the collector's thread.
  explicit SelfCollector(std::function<SelfReadings()> read);

  [[nodiscard]] std::string_view name() const override { return "countertop"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override { return {program_, collector_}; }
  [[nodiscard]] Result<Collected> collect(const Clock& clock) override;

 private:
  const std::function<SelfReadings()> read_;
  const ObjectHandle program_;
  const ObjectHandle collector_;
};

}  // namespace countertop::app
