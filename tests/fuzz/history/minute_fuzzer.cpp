// Input: head, groups, with the head's size as the first byte. The check sums are added here: otherwise
// hardly any input would come past them. Those of the groups belong to the input and are tried as they are.
#include <algorithm>
#include <cstdlib>

#include "server/history/minute_codec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace countertop::history;
  static MinuteDecoder decoder;
  if (size == 0) return 0;
  const std::size_t head = std::min<std::size_t>(data[0], size - 1);
  Bytes blob(data + 1, data + 1 + head);
  append_check(blob);
  const std::size_t groups = blob.size();
  blob.insert(blob.end(), data + 1 + head, data + size);
  if (blob.size() > groups) append_check(blob, groups);  // fits when there is one group
  if (!decoder.open(blob)) return 0;
  if (decoder.rows() > kMaxMinuteRows || decoder.columns() > kMaxMinuteColumns) std::abort();
  std::vector<std::int64_t> column;
  for (std::size_t i = 0; i < decoder.columns(); ++i) {
    if (decoder.read_column(i, column) && column.size() != decoder.rows()) std::abort();
  }
  return 0;
}
