// UTF-8 to code points and back, with the first place where it is broken.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lookback {

// A NUL byte, a continuation byte on its own, a sequence cut short, an overlong form, a surrogate, or a
// number over U+10FFFF. what() is "column 5: invalid UTF-8 (surrogate U+D800)".
struct Utf8Error : std::invalid_argument {
  std::size_t column;  // in code points, the first is 1: what an editor shows
  std::string reason;  // "surrogate U+D800"

  Utf8Error(std::size_t where, const std::string& why);
};

std::u32string decode_utf8(std::string_view text);        // throws Utf8Error
std::u32string decode_utf8_lossy(std::string_view text);  // what is broken becomes U+FFFD, one for each fault
std::string encode_utf8(std::u32string_view text);

}  // namespace lookback
