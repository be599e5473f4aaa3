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
  if (arrival.from_zero) append_varint(out, zigzag(arrival.first_ms));
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
    std::uint64_t first_ms = 0;
    if (!whole || flags > 3 || ((flags & 2) != 0 && !reader.read_varint(first_ms)))
      return fail(ErrorCode::malformed, "the arrivals of a tick are damaged");
    Arrival& arrival = arrivals.emplace_back();
    arrival.instance = static_cast<std::uint32_t>(instance);
    arrival.object = static_cast<std::uint32_t>(object);
    arrival.is_clock = (flags & 1) != 0;
    arrival.from_zero = (flags & 2) != 0;
    arrival.name.assign(name.begin(), name.end());
    arrival.first_ms = unzigzag(first_ms);
  }
  return {};
}

}  // namespace countertop::history
