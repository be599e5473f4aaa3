#include "collectors/proc/process_collector.hpp"
#include "collectors/proc/process_source_linux.hpp"

namespace countertop::proc {

std::unique_ptr<Collector> make_process_collector(const ProcRoot& root, const ProcessOptions& options) {
  return std::make_unique<ProcessCollector>(make_process_source(root, options.most_descriptors), options);
}

}  // namespace countertop::proc
