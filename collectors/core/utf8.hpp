// UTF-8: what is well formed, and text made of bytes that may be anything.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace countertop {

/// Length of the well-formed sequence at `at` (< text.size()); 0 when the bytes are none: overlong forms,
/// surrogates and what lies beyond U+10FFFF are not.
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t at);

[[nodiscard]] bool is_utf8(std::string_view text);

/// `bytes` as valid UTF-8: each longest broken sequence becomes one U+FFFD (Unicode 15, 3.9, "maximal
/// subparts"). The kernel cuts
/// names at 15 bytes, often in the middle of a character. Control characters stay.
[[nodiscard]] std::string sanitize_utf8(std::string_view bytes);

}  // namespace countertop
