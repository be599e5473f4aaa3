#include "server/api/value_text.hpp"
#include "server/app/settings.hpp"

namespace countertop::app {

std::string show_settings_json(const Settings& settings) {
  std::string json = "{";
  for (const auto& setting : settings.effective) {
    json += json.size() > 1 ? ",\n  " : "\n  ";
    api::append_json_text(json, dotted_name(*setting.definition));
    json += ": {\"value\": ";
    api::append_json_text(json, setting.value);
    json += ", \"origin\": ";
    api::append_json_text(json, setting.origin);
    json += "}";
  }
  return json + "\n}\n";
}

}  // namespace countertop::app
