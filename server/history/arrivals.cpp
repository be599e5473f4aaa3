#include "server/history/arrivals.hpp"

#include <limits>

namespace countertop::history {

namespace {

constexpr std::uint64_t kMaxId = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMaxNameBytes = std::uint64_t{1} << 20;

}  // namespace

void append_arrival(const Arrival& arrival, Bytes& out) {
  append_varint(out, arrival.instance);
  append_varint(out, arrival.object);
  out.push_back(static_cast<std::uint8_t>((arrival.is_clock ? 1 : 0) | (arrival.from_zero ? 2 : 0)));
  append_varint(out, arrival.name.size());
  out.insert(out.end(), arrival.name.begin(), arrival.name.end());
}

Result<void> read_arrivals(ByteView blob, std::vector<Arrival>& arrivals) {
  ByteReader reader(blob);
  while (!reader.at_end()) {
    std::uint64_t instance = 0;
    std::uint64_t object = 0;
    std::uint64_t size = 0;
    std::uint8_t flags = 0;
    ByteView name;
    const bool whole = reader.read_varint_up_to(kMaxId, instance) &&
                       reader.read_varint_up_to(kMaxId, object) && reader.read_byte(flags) &&
                       reader.read_varint_up_to(kMaxNameBytes, size) &&
                       reader.read_bytes(static_cast<std::size_t>(size), name);
    if (!whole || flags > 3) return fail(ErrorCode::malformed, "the arrivals of a tick are damaged");
    arrivals.push_back(Arrival{static_cast<std::uint32_t>(instance), static_cast<std::uint32_t>(object),
                               (flags & 1) != 0, (flags & 2) != 0, std::string(name.begin(), name.end())});
  }
  return {};
}

}  // namespace countertop::history
