#include "collectors/proc/instance_names.hpp"

#include <algorithm>
#include <unordered_set>

#include "collectors/core/utf8.hpp"

namespace countertop::proc {

std::string readable_name(std::string_view bytes) {
  if (bytes.empty()) return "?";
  const bool plain = std::ranges::all_of(bytes, [](char c) { return c >= ' ' && c <= '~'; });
  return plain ? std::string(bytes) : sanitize_utf8(bytes);
}

void make_unique(std::vector<InstanceName>& instances) {
  std::vector<std::string_view> sorted(instances.size());
  std::ranges::transform(instances, sorted.begin(),
                         [](const InstanceName& one) { return std::string_view(one.name); });
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) == sorted.end()) return;

  std::unordered_set<std::string> taken;
  for (const InstanceName& one : instances) taken.insert(one.name);
  std::unordered_set<std::string> seen;
  for (InstanceName& one : instances) {
    if (seen.insert(one.name).second) continue;
    std::string name;
    for (std::size_t number = 2; name.empty() || taken.contains(name); ++number)
      name = one.name + "#" + std::to_string(number);
    taken.insert(name);
    seen.insert(name);
    one.name = std::move(name);
  }
}

}  // namespace countertop::proc
