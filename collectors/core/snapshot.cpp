#include "collectors/core/snapshot.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace countertop {
namespace {

constexpr std::array<std::pair<MarkKind, std::string_view>, 16> kMarkKinds{{
    {MarkKind::start, "start"},
    {MarkKind::stop, "stop"},
    {MarkKind::crash, "crash"},
    {MarkKind::reboot, "reboot"},
    {MarkKind::suspend, "suspend"},
    {MarkKind::clock_step, "clock_step"},
    {MarkKind::collector_failed, "collector_failed"},
    {MarkKind::collector_back, "collector_back"},
    {MarkKind::late, "late"},
    {MarkKind::dropped, "dropped"},
    {MarkKind::store_damaged, "store_damaged"},
    {MarkKind::disk_full, "disk_full"},
    {MarkKind::disk_back, "disk_back"},
    {MarkKind::cpu_online, "cpu_online"},
    {MarkKind::cpu_offline, "cpu_offline"},
    {MarkKind::note, "note"},
}};

}  // namespace

std::string_view to_string(MarkKind kind) {
  const auto* const found =
      std::ranges::find(kMarkKinds, kind, &std::pair<MarkKind, std::string_view>::first);
  return found == kMarkKinds.end() ? std::string_view("note") : found->second;
}

std::optional<MarkKind> mark_kind_from(std::string_view text) {
  const auto* const found =
      std::ranges::find(kMarkKinds, text, &std::pair<MarkKind, std::string_view>::second);
  if (found == kMarkKinds.end()) return std::nullopt;
  return found->first;
}

}  // namespace countertop
