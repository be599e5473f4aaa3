#include "collectors/core/collector.hpp"

namespace countertop {

std::string_view to_string(CollectorState state) {
  switch (state) {
    case CollectorState::starting:
      return "starting";
    case CollectorState::running:
      return "running";
    case CollectorState::failing:
      return "failing";
    case CollectorState::unavailable:
      return "unavailable";
    case CollectorState::hung:
      return "hung";
    case CollectorState::off:
      return "off";
  }
  return "off";
}

}  // namespace countertop
