#include "core/utf8.hpp"

#include <fmt/format.h>

namespace lookback {

Utf8Error::Utf8Error(std::size_t where, const std::string& why)
    : std::invalid_argument(fmt::format("column {}: invalid UTF-8 ({})", where, why)),
      column(where),
      reason(why) {}

namespace {

// Decodes, calling broken(column, reason) at each fault: it throws, or the character becomes U+FFFD.
template <class Broken>
std::u32string decode(std::string_view text, Broken broken) {
  std::u32string decoded;
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  for (std::size_t i = 0; i < text.size();) {
    const unsigned lead = byte(i++);
    const int more = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;  // continuation bytes to come
    constexpr char32_t least[] = {0, 0x80, 0x800, 0x10000};
    char32_t c = more == 0 ? lead : lead & (0x3Fu >> more);  // 110xxxxx, 1110xxxx, 11110xxx
    const char* fault = nullptr;
    if (lead >= 0x80 && lead <= 0xBF) fault = "lone continuation byte 0x{:02X}";
    if (lead >= 0xF8) fault = "byte 0x{:02X}, which begins no character";
    for (int k = 0; k < more && !fault; ++k)
      if ((byte(i) & 0xC0) == 0x80)
        c = c << 6 | (byte(i++) & 0x3F);  // 10xxxxxx
      else
        fault = "byte 0x{:02X} without its continuation";
    const bool whole = !fault;
    if (whole && c < least[more]) fault = "overlong form of U+{:04X}";
    if (whole && c >= 0xD800 && c <= 0xDFFF) fault = "surrogate U+{:04X}";
    if (whole && c > 0x10FFFF) fault = "U+{:04X}, beyond U+10FFFF";
    if (fault) {
      broken(decoded.size() + 1, fmt::format(fmt::runtime(fault), whole ? static_cast<unsigned>(c) : lead));
      c = U'\uFFFD';
    }
    decoded += c;
  }
  return decoded;
}

}  // namespace

std::u32string decode_utf8(std::string_view text) {
  const std::u32string decoded =
      decode(text, [](std::size_t column, const std::string& reason) { throw Utf8Error(column, reason); });
  if (const auto nul = decoded.find(U'\0'); nul != decoded.npos) throw Utf8Error(nul + 1, "NUL byte");
  return decoded;
}

std::u32string decode_utf8_lossy(std::string_view text) {
  return decode(text, [](std::size_t, const std::string&) {});
}

std::string encode_utf8(std::u32string_view text) {
  std::string bytes;
  for (const char32_t c : text) {
    const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    constexpr char32_t lead[] = {0x00, 0xC0, 0xE0, 0xF0};
    bytes += static_cast<char>(lead[more] | c >> 6 * more);
    for (int k = more - 1; k >= 0; --k) bytes += static_cast<char>(0x80 | (c >> 6 * k & 0x3F));
  }
  return bytes;
}

}  // namespace lookback
