// Compression of answers for those who accept it.
#pragma once

#include "server/api/message.hpp"

namespace countertop::api {

/// Compresses a body of at least 1 kB, or a stream with an end, when the request accepts gzip and the type is
/// a text. A tag gets "-gz" at its end, since the bytes are others.
void compress(const Request& request, Response& response);

/// q=0 refuses.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);

}  // namespace countertop::api
