#include <algorithm>

#include "collectors/proc/collectors_linux.hpp"
#include "server/app/collectors.hpp"
#include "server/query/suggest.hpp"

namespace countertop::app {
namespace {

proc::ProcRoot root_of(const Settings& settings) {
  return {settings.proc_root, settings.sys_root, settings.filesystem_root};
}

}  // namespace

Result<std::vector<std::unique_ptr<Collector>>> make_collectors(const Settings& settings) {
  auto collectors = proc::make_linux_collectors(root_of(settings));
  std::vector<std::string> names;
  for (const auto& collector : collectors) names.emplace_back(collector->name());
  for (const std::string& off : settings.collectors_off) {
    if (std::ranges::find(names, off) != names.end()) continue;
    const auto near = query::nearest_names(off, names);
    return fail(ErrorCode::invalid_argument,
                "collect.off: there is no collector '" + off + "'" + (near.empty() ? "." : "; " + query::did_you_mean(near)),
                "GET /api/v1/status lists the collectors.");
  }
  std::erase_if(collectors, [&](const auto& collector) {
    return std::ranges::find(settings.collectors_off, collector->name()) != settings.collectors_off.end();
  });
  return collectors;
}

std::string describe_view(const Settings&) { return "host"; }

std::vector<api::MissingRight> missing_rights(const Settings&) { return {}; }

}  // namespace countertop::app
