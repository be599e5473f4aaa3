// Numbers, times and texts as JSON and CSV write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/api/presentation.hpp"

namespace countertop::api {

/// The shortest text that reads back as the same number; whole numbers up to 2^53 without exponent.
/// Precondition: finite.
void append_number(std::string& out, double value, char decimal = '.');
void append_integer(std::string& out, std::int64_t value);

/// A number, or null when it is NaN or infinite.
void append_json_number(std::string& out, double value);
/// In quotes; malformed UTF-8 becomes U+FFFD.
void append_json_text(std::string& out, std::string_view text);
/// As `time=` asks: a number, or a text in quotes for iso.
void append_json_time(std::string& out, std::int64_t unix_ms, const Presentation& presentation);

/// Unix seconds, at most three decimals: 1764503600 or 1764503600.25.
void append_unix_seconds(std::string& out, std::int64_t unix_ms);

/// A text cell: quoted where RFC 4180 asks for it. A text that a spreadsheet would take for a formula (it
/// begins with = + - @ or a control character) gets an apostrophe in front.
void append_cell_text(std::string& out, std::string_view text, char separator);
void append_cell_number(std::string& out, double value, const Presentation& presentation);  // NaN: nothing
void append_cell_time(std::string& out, std::int64_t unix_ms, const Presentation& presentation);

}  // namespace countertop::api
