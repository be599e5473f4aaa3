#include "server/history/bytes.hpp"

namespace countertop::history {

void append_varint(Bytes& out, std::uint64_t value) {
  std::uint8_t buffer[kMaxVarintBytes];
  const std::uint8_t* end = write_varint(buffer, value);
  out.insert(out.end(), static_cast<const std::uint8_t*>(buffer), end);
}

bool ByteReader::read_long_varint(std::uint64_t& value) {
  std::uint64_t result = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (next_ == end_) return false;
    const std::uint8_t byte = *next_++;
    if (shift == 63 && byte > 1) return false;  // more than 64 bits
    result |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      value = result;
      return true;
    }
  }
  return false;
}

}  // namespace countertop::history
