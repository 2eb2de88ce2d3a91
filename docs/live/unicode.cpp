// kit/text/unicode.hpp in a page: what Unicode knows of a character, the browser knows.
#include "examples/kit/text/unicode.hpp"

#include <emscripten/val.h>

#include "core/utf8.hpp"

namespace lookback {
namespace {

using emscripten::val;

val text(std::u32string_view characters) { return val(encode_utf8(characters)); }

val pattern(const char* source) { return val::global("RegExp").new_(std::string(source), std::string("u")); }

}  // namespace

std::u32string nfc(std::u32string_view characters) {
  return decode_utf8(text(characters).call<std::string>("normalize", std::string("NFC")));
}

char32_t to_lower(char32_t c) {
  const std::u32string lower = decode_utf8(text({&c, 1}).call<std::string>("toLowerCase"));
  return lower.size() == 1 ? lower[0] : c;
}

bool is_space(char32_t c) {
  static const val spaces = pattern("[\\p{Z}\\p{Cc}\\uFEFF]");
  return spaces.call<bool>("test", text({&c, 1}));
}

bool is_punctuation(char32_t c) {
  static const val marks = pattern("[\\p{P}\\p{S}]");
  return marks.call<bool>("test", text({&c, 1}));
}

int display_width(char32_t) { return 1; }  // there is no terminal

}  // namespace lookback
