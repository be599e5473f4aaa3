#include "server/history/tick_clocks.hpp"

#include <array>

namespace countertop::history {
namespace {

using Member = std::int64_t TimeBase::*;
constexpr std::array<Member, 6> kMembers{&TimeBase::wall_ms,        &TimeBase::perf_time,
                                         &TimeBase::perf_frequency, &TimeBase::time_100ns,
                                         &TimeBase::object_time,    &TimeBase::object_frequency};

}  // namespace

void append_clocks(const TimeBase& before, const TimeBase& now, Bytes& out) {
  unsigned mask = 0;
  for (unsigned i = 0; i < kMembers.size(); ++i) {
    if (before.*kMembers[i] != now.*kMembers[i]) mask |= 1U << i;
  }
  out.push_back(static_cast<std::uint8_t>(mask));
  for (unsigned i = 0; i < kMembers.size(); ++i) {
    if ((mask >> i & 1) != 0)
      append_varint(out, zigzag(wrapping_subtract(now.*kMembers[i], before.*kMembers[i])));
  }
}

bool read_clocks(ByteReader& reader, TimeBase& time) {
  std::uint8_t mask = 0;
  if (!reader.read_byte(mask) || mask >> kMembers.size() != 0) return false;
  for (unsigned i = 0; i < kMembers.size(); ++i) {
    if ((mask >> i & 1) == 0) continue;
    std::uint64_t difference = 0;
    if (!reader.read_varint(difference)) return false;
    time.*kMembers[i] = wrapping_add(time.*kMembers[i], unzigzag(difference));
  }
  return true;
}

}  // namespace countertop::history
