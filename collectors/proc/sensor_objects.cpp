#include "collectors/proc/sensor_objects.hpp"

#include "collectors/proc/object_table.hpp"

namespace countertop::proc {
namespace {

constexpr auto kGauge = CounterType::large_raw_count;
constexpr double kMilli = 1e-3;
constexpr double kMicro = 1e-6;

constexpr FieldRow kTemperatureFields[] = {
    {"input", Backward::gauge}, {"max", Backward::gauge}, {"crit", Backward::gauge}};

constexpr CounterRow kTemperatureCounters[] = {
    {"current", "\u00b0C", kGauge, "input", "", kMilli,
     "Temperature now. Source: /sys/class/hwmon/*/temp*_input, or /sys/class/thermal/*/temp where no such "
     "sensor belongs to the zone. Sensors of boards may be wired to nothing and show any number. Hard disks "
     "(drivetemp) are asked every five minutes only, since asking can keep them from spinning down; between "
     "that the last answer stands."},
    {"high", "\u00b0C", kGauge, "max", "", kMilli,
     "What the maker calls the highest normal temperature. Source: /sys/class/hwmon/*/temp*_max."},
    {"critical", "\u00b0C", kGauge, "crit", "", kMilli,
     "Where the device slows down or switches off to save itself. Source: /sys/class/hwmon/*/temp*_crit."},
};

/// A microjoule counter that says more than 100 kW has been set anew.
constexpr double kMostMicrojoules = 1e11;

constexpr FieldRow kPowerFields[] = {
    {"energy_uj", Backward::reset, 0, kMostMicrojoules},
    {"power_now", Backward::gauge},
    {"voltage_now", Backward::gauge},
    {"current_now", Backward::gauge},
    {"capacity", Backward::gauge},
    {"energy_now", Backward::gauge},
    {"energy_full", Backward::gauge},
    {"online", Backward::gauge},
};

constexpr CounterRow kPowerCounters[] = {
    {"watts", "W", kGauge, "power_now", "", kMicro,
     "Power that flows now: out of or into a battery, or through a sensor. Source: "
     "/sys/class/power_supply/*/power_now, or voltage_now * current_now; /sys/class/hwmon/*/power*_input or "
     "power*_average. Some batteries give it without a sign."},
    {"processor watts", "W", CounterType::bulk_count, "energy_uj", "", kMicro,
     "Power that a processor package, its cores or its memory drew on average. Source: "
     "/sys/class/powercap/intel-rapl:*/energy_uj (AMD too). The counter starts anew about every hour, which "
     "leaves one reading without a value. Only root may read it on newer kernels."},
    {"charge %", "%", kGauge, "capacity", "", 1,
     "How full the battery is. Source: /sys/class/power_supply/*/capacity."},
    {"voltage", "V", kGauge, "voltage_now", "", kMicro, "Source: /sys/class/power_supply/*/voltage_now."},
    {"current", "A", kGauge, "current_now", "", kMicro,
     "Source: /sys/class/power_supply/*/current_now. Whether discharging has a minus sign differs from maker "
     "to maker."},
    {"energy left", "Wh", kGauge, "energy_now", "", kMicro,
     "Energy in the battery. Source: /sys/class/power_supply/*/energy_now. No value for batteries that count "
     "charge instead of energy."},
    {"energy full", "Wh", kGauge, "energy_full", "", kMicro,
     "Energy in the battery when it was last full; falls as it ages. Source: "
     "/sys/class/power_supply/*/energy_full."},
    {"online", "", kGauge, "online", "", 1,
     "1 while the power supply is plugged in and gives power, else 0. Source: "
     "/sys/class/power_supply/*/online."},
};

}  // namespace

ObjectHandle make_temperature_object() {
  return make_object("temperature", "Temperature sensors, by chip and label.", Instances::many,
                     kTemperatureFields, kTemperatureCounters);
}

ObjectHandle make_power_object() {
  return make_object("power",
                     "Batteries, power supplies, and the energy counters of processors. Each instance has "
                     "those of the counters that its source gives.",
                     Instances::many, kPowerFields, kPowerCounters);
}

}  // namespace countertop::proc
