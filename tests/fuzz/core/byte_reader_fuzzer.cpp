// Lets the input itself say what to read next from it: no sequence of reads may leave the bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "collectors/core/byte_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  countertop::ByteReader reader(bytes);
  countertop::ByteReader script(bytes);
  while (script.remaining() > 0) {
    const std::uint8_t what = script.u8();
    switch (what % 10) {
      case 0:
        reader.u8();
        break;
      case 1:
        reader.u16();
        break;
      case 2:
        reader.u32();
        break;
      case 3:
        reader.u64();
        break;
      case 4:
        reader.varint();
        break;
      case 5:
        reader.zigzag();
        break;
      case 6:
        if (reader.bytes(what).size() > size) std::abort();
        break;
      case 7:
        reader.skip(static_cast<std::size_t>(script.u64()));
        break;
      case 8:
        reader.seek(script.u16());
        break;
      default:
        reader.part(script.u16(), static_cast<std::size_t>(script.u64())).u32();
    }
    if (reader.position() > size || reader.remaining() > size) std::abort();
    if (!reader.ok()) reader = countertop::ByteReader(bytes);
  }
  return 0;
}
