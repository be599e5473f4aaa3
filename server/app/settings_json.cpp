#include <nlohmann/json.hpp>

#include "server/app/settings.hpp"

namespace countertop::app {

std::string show_settings_json(const Settings& settings) {
  nlohmann::ordered_json document;
  for (const auto& setting : settings.effective) {
    document[dotted_name(*setting.definition)] = {{"value", setting.value}, {"origin", setting.origin}};
  }
  // Paths may hold bytes that are no UTF-8.
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace countertop::app
