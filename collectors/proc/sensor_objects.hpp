// The objects `temperature` and `power`.
#pragma once

#include "collectors/core/object.hpp"

namespace countertop::proc {

enum TemperatureField : std::uint16_t {
  kTemperature,
  kHighTemperature,
  kCriticalTemperature,
  kTemperatureFieldCount
};

enum PowerField : std::uint16_t {
  kEnergyCounter,  // microjoules, only growing
  kPower,          // microwatts
  kVoltage,        // microvolts
  kCurrent,        // microamperes
  kCharge,         // percent
  kEnergyLeft,     // microwatt hours
  kEnergyFull,
  kOnline,
  kPowerFieldCount,
};

[[nodiscard]] ObjectHandle make_temperature_object();
[[nodiscard]] ObjectHandle make_power_object();

}  // namespace countertop::proc
