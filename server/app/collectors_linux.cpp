#include "collectors/proc/collectors_linux.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "server/app/collectors.hpp"
#include "server/query/suggest.hpp"

namespace countertop::app {
namespace {

proc::ProcRoot root_of(const Settings& settings) {
  return {settings.proc_root, settings.sys_root, settings.filesystem_root};
}

bool is_refused(const std::string& file) { return access(file.c_str(), R_OK) != 0 && errno == EACCES; }

std::string own_program() {
  std::error_code problem;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", problem);
  return problem ? "countertop" : program.string();
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
                "collect.off: there is no collector '" + off + "'" +
                    (near.empty() ? "." : "; " + query::did_you_mean(near)),
                "GET /api/v1/status lists the collectors.");
  }
  std::erase_if(collectors, [&](const auto& collector) {
    return std::ranges::find(settings.collectors_off, collector->name()) != settings.collectors_off.end();
  });
  return collectors;
}

std::string describe_view(const Settings& settings) {
  const proc::HostView view = proc::view_host(root_of(settings));
  if (view.text.empty()) return "host";
  return view.fix.empty() ? view.text : view.text + " " + view.fix;
}

std::vector<api::MissingRight> missing_rights(const Settings& settings) {
  std::vector<api::MissingRight> missing;
  // The first process belongs to root: whoever may read its traffic may read everybody's.
  if (is_refused(settings.proc_root + "/1/io")) {
    missing.push_back(
        {"disk traffic of other users' processes",
         "/proc/PID/io of another user is readable with CAP_SYS_PTRACE only; `read bytes/s` and "
         "`write bytes/s` of those processes have no value.",
         "sudo setcap cap_sys_ptrace,cap_dac_read_search+ep " + own_program()});
  }
  if (is_refused(settings.sys_root + "/class/powercap/intel-rapl:0/energy_uj")) {
    missing.push_back({"power of the processor",
                       "The energy counters below /sys/class/powercap are readable for root only.",
                       "sudo chmod a+r " + settings.sys_root + "/class/powercap/intel-rapl*/energy_uj"});
  }
  return missing;
}

}  // namespace countertop::app
