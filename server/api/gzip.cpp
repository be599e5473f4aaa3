#include "server/api/gzip.hpp"

#include <zlib.h>

#include <array>
#include <memory>

namespace countertop::api {
namespace {

constexpr std::size_t kLeastBytes = 1024;
constexpr int kLevel = 4;  // numbers as text gain little from more
constexpr int kGzipWindow = 15 + 16;
constexpr int kMemoryLevel = 8;

class Deflater {
 public:
  Deflater() {
    is_ready_ =
        deflateInit2(&stream_, kLevel, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) == Z_OK;
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() {
    if (is_ready_) deflateEnd(&stream_);
  }
  [[nodiscard]] bool is_ready() const { return is_ready_; }

  /// Appends what comes out; `is_end` closes the stream.
  bool add(std::string_view input, bool is_end, std::string& out) {
    std::array<unsigned char, 16 * 1024> buffer{};
    // zlib takes a pointer to non-const bytes and does not write there.
    stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());
    do {
      stream_.next_out = buffer.data();
      stream_.avail_out = static_cast<uInt>(buffer.size());
      if (deflate(&stream_, is_end ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR) return false;
      out.append(reinterpret_cast<const char*>(buffer.data()), buffer.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
    return true;
  }

 private:
  z_stream stream_{};
  bool is_ready_ = false;
};

bool is_text(std::string_view type) {
  return type.starts_with("text/") || type.starts_with("application/json") ||
         type.starts_with("application/x-ndjson") || type.starts_with("application/problem+json") ||
         type.starts_with("application/openmetrics-text") || type.starts_with("application/javascript") ||
         type.starts_with("image/svg+xml");
}

StreamEnd run_compressed(const Stream& inner, const Write& write, const std::stop_token& stop) {
  Deflater deflater;
  if (!deflater.is_ready()) return StreamEnd::broken;
  const auto packed_write = [&](std::string_view text) {
    std::string packed;
    return deflater.add(text, false, packed) && (packed.empty() || write(packed));
  };
  if (inner(packed_write, stop) == StreamEnd::broken) return StreamEnd::broken;
  std::string rest;
  return deflater.add({}, true, rest) && write(rest) ? StreamEnd::complete : StreamEnd::broken;
}

void mark_compressed(Response& response) {
  response.set_header("Content-Encoding", "gzip");
  const std::string tag(response.header("ETag"));
  if (tag.size() > 2 && tag.back() == '"')
    response.set_header("ETag", tag.substr(0, tag.size() - 1) + "-gz\"");
}

}  // namespace

bool accepts_gzip(std::string_view accept_encoding) {
  for (const std::string_view part : split(accept_encoding, ',')) {
    const std::size_t end = part.find(';');
    const std::string name = to_lower(trim(part.substr(0, end)));
    if (name != "gzip" && name != "x-gzip") continue;
    const std::string_view weight =
        end == std::string_view::npos ? std::string_view() : trim(part.substr(end + 1));
    return !(weight.starts_with("q=0") && weight.find_first_of("123456789") == std::string_view::npos);
  }
  return false;
}

void compress(const Request& request, Response& response) {
  if (response.is_live || !is_text(response.header("Content-Type"))) return;
  if (!response.stream && response.body.size() < kLeastBytes) return;
  if (!response.header("Content-Encoding").empty()) return;
  response.set_header("Vary", "Accept, Accept-Encoding");
  if (!accepts_gzip(request.header("accept-encoding"))) return;
  if (response.stream) {
    response.stream = [inner = std::move(response.stream)](const Write& write, const std::stop_token& stop) {
      return run_compressed(inner, write, stop);
    };
    mark_compressed(response);
    return;
  }
  Deflater deflater;
  std::string packed;
  if (!deflater.is_ready() || !deflater.add(response.body, true, packed)) return;
  response.body = std::move(packed);
  mark_compressed(response);
}

}  // namespace countertop::api
