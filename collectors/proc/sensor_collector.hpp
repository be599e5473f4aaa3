// The objects `temperature` and `power`. On a thread of its own, since chips may take long to answer.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "collectors/core/collector.hpp"
#include "collectors/proc/file_tree.hpp"
#include "collectors/proc/sensor_discovery.hpp"

namespace countertop::proc {

class SensorCollector final : public Collector {
 public:
  explicit SensorCollector(std::unique_ptr<FileTree> files);

  [[nodiscard]] std::string_view name() const override { return "sensors"; }
  [[nodiscard]] std::vector<ObjectHandle> objects() const override { return {temperature_, power_}; }
  /// ErrorCode::unavailable on a machine without sensors, as virtual ones are.
  [[nodiscard]] Result<Collected> collect(const Clock& clock) override;

 private:
  void read_all(const ObjectHandle& object, std::vector<Sensor>& sensors, const Clock& clock, Collected& out);

  const ObjectHandle temperature_;
  const ObjectHandle power_;
  const std::unique_ptr<FileTree> files_;
  Sensors sensors_;
  std::uint32_t until_discovery_ = 0;
  std::uint32_t until_seldom_ = 0;
};

}  // namespace countertop::proc
