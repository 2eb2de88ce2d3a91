#include "examples/kit/text/unicode.hpp"

#include <utf8proc.h>

#include <cstdlib>
#include <iterator>
#include <memory>
#include <stdexcept>

#include "core/utf8.hpp"

namespace lookback {
namespace {

utf8proc_category_t category(char32_t c) { return utf8proc_category(static_cast<utf8proc_int32_t>(c)); }

}  // namespace

std::u32string nfc(std::u32string_view text) {
  const std::string bytes = encode_utf8(text);
  utf8proc_uint8_t* composed = nullptr;
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(bytes.data()),
                                             std::ssize(bytes), &composed, options);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(composed, &std::free);
  if (size < 0) throw std::runtime_error(utf8proc_errmsg(size));
  return decode_utf8({reinterpret_cast<const char*>(composed), static_cast<std::size_t>(size)});
}

char32_t to_lower(char32_t c) {
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c)));
}

bool is_space(char32_t c) {
  const utf8proc_category_t kind = category(c);
  return (kind >= UTF8PROC_CATEGORY_ZS && kind <= UTF8PROC_CATEGORY_CC) || c == U'\uFEFF';  // Zs Zl Zp Cc
}

bool is_punctuation(char32_t c) {
  const utf8proc_category_t kind = category(c);
  return kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_SO;  // Pc Pd Ps Pe Pi Pf Po, Sm Sc Sk So
}

int display_width(char32_t c) { return utf8proc_charwidth(static_cast<utf8proc_int32_t>(c)); }

}  // namespace lookback
