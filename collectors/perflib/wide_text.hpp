// Text of Windows as UTF-8. Whatever comes in, valid UTF-8 comes out: broken pairs become U+FFFD.
#pragma once

#include <string>
#include <string_view>

#include "collectors/perflib/data_block.hpp"

namespace countertop::perflib {

/// Little-endian UTF-16 of any alignment; an odd last byte is left out. Ends at the first NUL.
[[nodiscard]] std::string utf8_from_utf16(Bytes text);

/// An instance's name in the object's encoding. Code page 0 is UTF-16, 65001 UTF-8; of the others ASCII is
/// read and what lies beyond as Windows-1252. Control characters become U+FFFD.
[[nodiscard]] std::string instance_text(Bytes text, std::uint32_t code_page);

/// Trims white space and replaces what may not stand in a counter's name or a terminal: control characters.
[[nodiscard]] std::string clean_text(std::string_view text);

}  // namespace countertop::perflib
