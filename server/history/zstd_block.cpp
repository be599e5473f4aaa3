#define ZSTD_STATIC_LINKING_ONLY  // for the frame format without a magic number
#include "server/history/zstd_block.hpp"

#include <zstd.h>

namespace countertop::history {
void Compressor::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }
void Decompressor::Free::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

bool Compressor::append_if_smaller(ByteView input, Bytes& out) {
  if (input.size() < 16) return false;  // a frame costs nine bytes and more
  if (!context_) {
    context_.reset(ZSTD_createCCtx());
    if (!context_) return false;
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level_);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_contentSizeFlag, 0);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 0);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_format, ZSTD_f_zstd1_magicless);
  }
  const std::size_t before = out.size();
  out.resize(before + input.size() - 1);
  const std::size_t size =
      ZSTD_compress2(context_.get(), out.data() + before, input.size() - 1, input.data(), input.size());
  out.resize(ZSTD_isError(size) ? before : before + size);
  return !ZSTD_isError(size);
}

Result<void> Decompressor::read(ByteView frame, std::span<std::uint8_t> out) {
  if (!context_) {
    context_.reset(ZSTD_createDCtx());
    if (!context_) return fail(ErrorCode::internal, "There is no memory for decompressing.");
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_format, ZSTD_f_zstd1_magicless);
  }
  const std::size_t size =
      ZSTD_decompressDCtx(context_.get(), out.data(), out.size(), frame.data(), frame.size());
  if (ZSTD_isError(size) || size != out.size()) {
    return fail(ErrorCode::malformed, "A compressed block of the history is damaged.");
  }
  return {};
}

}  // namespace countertop::history
