#include "collectors/proc/sensor_collector.hpp"

#include <utility>

#include "collectors/proc/sensor_objects.hpp"

namespace countertop::proc {
namespace {

/// In readings.
constexpr std::uint32_t kDiscoverEvery = 60;
constexpr std::uint32_t kSeldomEvery = 300;

/// Batteries that do not give their power give its factors.
void complete_power(std::vector<std::int64_t>& values) {
  constexpr std::int64_t kMost = std::int64_t{1} << 31;  // two kilovolts or kiloamperes, in millionths
  const std::int64_t voltage = values[kVoltage], current = values[kCurrent];
  const auto plausible = [](std::int64_t value) {
    return value != kNoValue && value > -kMost && value < kMost;
  };
  if (values[kPower] == kNoValue && plausible(voltage) && plausible(current))
    values[kPower] = voltage * current / 1'000'000;
}

}  // namespace

SensorCollector::SensorCollector(std::unique_ptr<FileTree> files)
    : temperature_(make_temperature_object()), power_(make_power_object()), files_(std::move(files)) {}

Result<Collected> SensorCollector::collect(const Clock& clock) {
  if (until_discovery_ == 0) {
    // What is read seldom keeps its last answer where the same sensor is found again.
    Sensors found = discover_sensors(*files_);
    for (Sensor& sensor : found.temperatures)
      for (const Sensor& known : sensors_.temperatures)
        if (sensor.seldom && known.instance == sensor.instance) sensor.values = known.values;
    sensors_ = std::move(found);
    until_discovery_ = kDiscoverEvery;
  }
  if (sensors_.temperatures.empty() && sensors_.powers.empty()) {
    until_discovery_ = 0;
    if (!sensors_.problems.empty()) return tl::unexpected(sensors_.problems.front());
    return fail(
        ErrorCode::unavailable,
        "this machine shows no temperature sensors, batteries or energy counters (/sys/class/hwmon, thermal, "
        "power_supply, powercap), as is usual for virtual machines");
  }
  --until_discovery_;

  Collected out;
  out.problems = sensors_.problems;
  read_all(temperature_, sensors_.temperatures, clock, out);
  read_all(power_, sensors_.powers, clock, out);
  until_seldom_ = until_seldom_ == 0 ? kSeldomEvery - 1 : until_seldom_ - 1;
  return out;
}

void SensorCollector::read_all(const ObjectHandle& object, std::vector<Sensor>& sensors, const Clock& clock,
                               Collected& out) {
  if (sensors.empty()) return;
  Snapshot snapshot;
  snapshot.object = object;
  snapshot.time = read_time_base(clock);
  for (Sensor& sensor : sensors) {
    std::vector<std::int64_t>& values = sensor.values;
    for (const SensorFile& file : sensor.files)
      if (!sensor.seldom || until_seldom_ == 0 || values[file.field] == kNoValue)
        values[file.field] = read_sensor(*files_, file.path);
    snapshot.instances.push_back(sensor.instance);
    std::vector<std::int64_t> row = values;
    if (object == power_) complete_power(row);
    snapshot.values.insert(snapshot.values.end(), row.begin(), row.end());
  }
  out.snapshots.push_back(std::move(snapshot));
}

}  // namespace countertop::proc
