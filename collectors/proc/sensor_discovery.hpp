// Which sensors the machine has: /sys/class/{hwmon,thermal,power_supply,powercap}. Pure, over a FileTree.
// Formats: Documentation/hwmon/sysfs-interface.rst, power/power_supply_class.rst,
// power/powercap/powercap.rst.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collectors/core/result.hpp"
#include "collectors/core/snapshot.hpp"
#include "collectors/proc/file_tree.hpp"

namespace countertop::proc {

/// A file with one number, and the field that it fills.
struct SensorFile {
  std::uint16_t field = 0;
  std::string path;  // below /sys
};

struct Sensor {
  InstanceName instance;  // unique among the sensors of its object
  std::vector<SensorFile> files;
  std::vector<std::int64_t>
      values;           // one per field of its object: what does not change (limits), else kNoValue
  bool seldom = false;  // asking often does harm
};

struct Sensors {
  std::vector<Sensor> temperatures;
  std::vector<Sensor> powers;
  std::vector<Error> problems;  // what is there and may not be read
};

[[nodiscard]] Sensors discover_sensors(FileTree& files);

/// The number in a file of one number, or kNoValue.
[[nodiscard]] std::int64_t read_sensor(FileTree& files, const std::string& path);

}  // namespace countertop::proc
