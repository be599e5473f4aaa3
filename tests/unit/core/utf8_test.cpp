#include "collectors/core/utf8.hpp"

#include <catch2/catch_test_macros.hpp>

namespace countertop {
namespace {

TEST_CASE("Bytes that are no UTF-8 are replaced, everything else stays as it is", "[T-L01]") {
  const std::string one = "\xEF\xBF\xBD";
  CHECK(sanitize_utf8("two\nlines\x1B[31m") == "two\nlines\x1B[31m");
  CHECK(sanitize_utf8("\xFFz") == one + "z");
  CHECK(sanitize_utf8("\x80\x80") == one + one);
  CHECK(sanitize_utf8("\xC0\xAF") == one + one);                      // overlong slash
  CHECK(sanitize_utf8("\xED\xA0\x80") == one + one + one);            // half of a surrogate pair
  CHECK(sanitize_utf8("\xF4\x90\x80\x80") == one + one + one + one);  // beyond U+10FFFF
  CHECK(sanitize_utf8("\xE2\x82x") == one + "x");
  CHECK(sanitize_utf8("\xE2\x82\xAC") == "\xE2\x82\xAC");
}

TEST_CASE("Malformed UTF-8 is found") {
  CHECK(is_utf8("caf\xC3\xA9 \xE4\xB8\xAD \xF0\x9F\x98\x80"));
  CHECK_FALSE(is_utf8("\xC3"));
  CHECK_FALSE(is_utf8("\xC0\xAF"));          // overlong
  CHECK_FALSE(is_utf8("\xED\xA0\x80"));      // a surrogate
  CHECK_FALSE(is_utf8("\xF4\x90\x80\x80"));  // beyond U+10FFFF
  CHECK_FALSE(is_utf8("\x80"));
}

}  // namespace
}  // namespace countertop
