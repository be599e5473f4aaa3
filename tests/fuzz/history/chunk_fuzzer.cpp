// The check sum is added here: otherwise hardly any input would come past it.
#include <cstdlib>

#include "server/history/chunk_codec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace countertop::history;
  static ChunkDecoder decoder;
  Bytes blob(data, data + size);
  append_check(blob);
  if (!decoder.open(blob)) return 0;
  std::size_t rows = 0;
  for (const PresenceRun& run : decoder.runs()) rows += run.count;
  if (rows != decoder.rows() || rows > kMaxChunkRows || decoder.fields() > kMaxChunkFields) std::abort();
  std::vector<std::int64_t> column;
  for (std::size_t field = 0; field < decoder.fields(); ++field) {
    if (decoder.read_field(field, column) && column.size() != rows) std::abort();
  }
  return 0;
}
