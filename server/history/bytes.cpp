#include "server/history/bytes.hpp"

namespace countertop::history {

void append_varint(Bytes& out, std::uint64_t value) {
  std::uint8_t buffer[kMaxVarintBytes];
  const std::uint8_t* end = write_varint(buffer, value);
  out.insert(out.end(), static_cast<const std::uint8_t*>(buffer), end);
}

namespace {

/// Every step can be undone, so that a single changed word always changes the 64-bit sum.
std::uint32_t check_sum(ByteView bytes) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
  std::uint64_t sum = bytes.size();
  const auto mix = [&sum](std::uint64_t word) {
    sum = (sum ^ word) * kFactor;
    sum ^= sum >> 32;
  };
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    for (unsigned i = 0; i < 8; ++i) word |= static_cast<std::uint64_t>(bytes[at + i]) << (8 * i);
    mix(word);
  }
  std::uint64_t last = 0;
  for (unsigned i = 0; at < bytes.size(); ++at, ++i) last |= static_cast<std::uint64_t>(bytes[at]) << (8 * i);
  mix(last);
  return static_cast<std::uint32_t>(sum);
}

}  // namespace

void append_check(Bytes& out, std::size_t begin) {
  const std::uint32_t sum = check_sum(ByteView(out).subspan(begin));
  for (unsigned i = 0; i < kCheckBytes; ++i) out.push_back(static_cast<std::uint8_t>(sum >> (8 * i)));
}

bool remove_check(ByteView& bytes) {
  if (bytes.size() < kCheckBytes) return false;
  const ByteView stored = bytes.last(kCheckBytes);
  bytes = bytes.first(bytes.size() - kCheckBytes);
  const std::uint32_t sum = check_sum(bytes);
  for (unsigned i = 0; i < kCheckBytes; ++i) {
    if (stored[i] != static_cast<std::uint8_t>(sum >> (8 * i))) return false;
  }
  return true;
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
