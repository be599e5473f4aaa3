#include "collectors/proc/sensor_discovery.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "collectors/core/object.hpp"
#include "collectors/proc/instance_names.hpp"
#include "collectors/proc/sensor_objects.hpp"
#include "collectors/proc/text_scan.hpp"

namespace countertop::proc {
namespace {

std::string read_word(FileTree& files, const std::string& path) {
  const auto text = files.read_once(Tree::sys, path);
  return text ? std::string(trim(*text)) : std::string();
}

std::vector<std::string> list(FileTree& files, const std::string& path) {
  auto names = files.list(Tree::sys, path);
  return names ? std::move(*names) : std::vector<std::string>();
}

/// "temp12_input" -> "temp12" when the file is `kind` NUMBER `ending`.
std::optional<std::string> channel_of(std::string_view file, std::string_view kind, std::string_view ending) {
  if (!file.starts_with(kind) || !file.ends_with(ending) || file.size() <= kind.size() + ending.size())
    return std::nullopt;
  const std::string_view digits = file.substr(kind.size(), file.size() - kind.size() - ending.size());
  if (!std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
  return std::string(file.substr(0, file.size() - ending.size()));
}

Sensor make_sensor(std::string name, std::size_t fields) {
  Sensor sensor;
  sensor.instance.name = std::move(name);
  sensor.values.assign(fields, kNoValue);
  return sensor;
}

/// A chip's folder; drivers before Linux 3.15 keep the files one level below.
struct Chip {
  std::string folder;
  std::string name;
  std::string device;  // the last part of the device's path: "nvme0"
  std::vector<std::string> files;
};

std::vector<Chip> find_chips(FileTree& files) {
  std::vector<Chip> chips;
  for (const std::string& entry : list(files, "class/hwmon")) {
    Chip chip;
    chip.folder = "class/hwmon/" + entry;
    chip.name = read_word(files, chip.folder + "/name");
    if (const auto target = files.link_target(Tree::sys, chip.folder + "/device"))
      chip.device = target->substr(target->rfind('/') + 1);
    if (chip.name.empty()) {
      chip.folder += "/device";
      chip.name = read_word(files, chip.folder + "/name");
    }
    if (chip.name.empty()) continue;
    chip.files = list(files, chip.folder);
    chips.push_back(std::move(chip));
  }
  return chips;
}

void add_chip(FileTree& files, const Chip& chip, const std::string& shown_name, Sensors& sensors) {
  const auto label_of = [&](const std::string& channel) {
    std::string label = read_word(files, chip.folder + "/" + channel + "_label");
    return shown_name + " " + (label.empty() ? channel : label);
  };
  for (const std::string& file : chip.files) {
    if (const auto channel = channel_of(file, "temp", "_input")) {
      Sensor sensor = make_sensor(label_of(*channel), kTemperatureFieldCount);
      const std::string prefix = chip.folder + "/" + *channel;
      sensor.files.push_back({kTemperature, prefix + "_input"});
      sensor.values[kHighTemperature] = read_sensor(files, prefix + "_max");
      sensor.values[kCriticalTemperature] = read_sensor(files, prefix + "_crit");
      sensor.seldom = chip.name == "drivetemp";
      sensors.temperatures.push_back(std::move(sensor));
    }
    auto channel = channel_of(file, "power", "_input");
    const bool both = channel && std::ranges::binary_search(chip.files, *channel + "_average");
    if (!channel || both) channel = channel_of(file, "power", "_average");
    if (!channel) continue;
    Sensor sensor = make_sensor(label_of(*channel), kPowerFieldCount);
    sensor.files.push_back({kPower, chip.folder + "/" + file});
    sensors.powers.push_back(std::move(sensor));
  }
}

/// The same chip may be there several times; then the device tells them apart.
std::set<std::string> add_chips(FileTree& files, Sensors& sensors) {
  const std::vector<Chip> chips = find_chips(files);
  std::set<std::string> names;
  for (const Chip& chip : chips) {
    const auto same = std::ranges::count(chips, chip.name, &Chip::name);
    add_chip(files, chip, same > 1 && !chip.device.empty() ? chip.name + " " + chip.device : chip.name,
             sensors);
    names.insert(chip.name);
  }
  return names;
}

/// Zones that the kernel also shows as a chip are left out; it writes their type with '_' for '-'.
void add_zones(FileTree& files, const std::set<std::string>& chips, Sensors& sensors) {
  constexpr std::string_view kZone = "thermal_zone";
  for (const std::string& entry : list(files, "class/thermal")) {
    if (!entry.starts_with(kZone)) continue;
    const std::string folder = "class/thermal/" + entry;
    std::string type = read_word(files, folder + "/type");
    std::string as_chip = type;
    std::ranges::replace(as_chip, '-', '_');
    if (chips.contains(as_chip)) continue;
    if (type.empty()) type = "zone";
    Sensor sensor = make_sensor(type + " zone" + entry.substr(kZone.size()), kTemperatureFieldCount);
    sensor.files.push_back({kTemperature, folder + "/temp"});
    sensors.temperatures.push_back(std::move(sensor));
  }
}

void add_supplies(FileTree& files, Sensors& sensors) {
  constexpr std::pair<std::string_view, PowerField> kFiles[] = {
      {"power_now", kPower}, {"voltage_now", kVoltage},   {"current_now", kCurrent},
      {"capacity", kCharge}, {"energy_now", kEnergyLeft}, {"energy_full", kEnergyFull},
      {"online", kOnline},
  };
  for (const std::string& entry : list(files, "class/power_supply")) {
    const std::string folder = "class/power_supply/" + entry;
    const std::vector<std::string> present = list(files, folder);
    Sensor sensor = make_sensor(entry, kPowerFieldCount);
    for (const auto& [file, field] : kFiles)
      if (std::ranges::binary_search(present, file))
        sensor.files.push_back({field, folder + "/" + std::string(file)});
    if (!sensor.files.empty()) sensors.powers.push_back(std::move(sensor));
  }
}

/// "intel-rapl:0" is a package and "intel-rapl:0:1" a part of it; "intel-rapl-mmio" shows packages a second
/// time.
void add_energy_counters(FileTree& files, Sensors& sensors) {
  constexpr std::string_view kRapl = "intel-rapl:";
  bool refused = false;
  for (const std::string& entry : list(files, "class/powercap")) {
    if (!entry.starts_with(kRapl)) continue;
    const std::string folder = "class/powercap/" + entry;
    std::string name = read_word(files, folder + "/name");
    if (name.empty()) name = entry;
    if (const std::size_t part = entry.find(':', kRapl.size()); part != std::string::npos)
      name = read_word(files, "class/powercap/" + entry.substr(0, part) + "/name") + " " + name;
    const std::string path = folder + "/energy_uj";
    if (const auto text = files.read_once(Tree::sys, path); !text) {
      refused = refused || text.error().code == ErrorCode::permission;
      continue;
    }
    Sensor sensor = make_sensor(std::move(name), kPowerFieldCount);
    sensor.files.push_back({kEnergyCounter, path});
    sensors.powers.push_back(std::move(sensor));
  }
  if (refused)
    sensors.problems.push_back(
        {ErrorCode::permission,
         "the processor's energy counters (/sys/class/powercap) may be read by root only",
         "run as root, or give the program CAP_DAC_READ_SEARCH", 0});
}

void clean_names(std::vector<Sensor>& sensors) {
  std::vector<InstanceName> names;
  for (const Sensor& sensor : sensors) names.push_back({readable_name(sensor.instance.name), false});
  make_unique(names);
  for (std::size_t i = 0; i < sensors.size(); ++i) sensors[i].instance = std::move(names[i]);
}

}  // namespace

std::int64_t read_sensor(FileTree& files, const std::string& path) {
  const auto text = files.read_once(Tree::sys, path);
  return text ? parse_number(trim(*text)).value_or(kNoValue) : kNoValue;
}

Sensors discover_sensors(FileTree& files) {
  Sensors sensors;
  const std::set<std::string> chips = add_chips(files, sensors);
  add_zones(files, chips, sensors);
  add_supplies(files, sensors);
  add_energy_counters(files, sensors);
  clean_names(sensors.temperatures);
  clean_names(sensors.powers);
  return sensors;
}

}  // namespace countertop::proc
