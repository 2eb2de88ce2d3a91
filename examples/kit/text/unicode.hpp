// What Unicode knows of a character. unicode.cpp is the one file that uses utf8proc.
#pragma once

#include <string>
#include <string_view>

namespace lookback {

// Composed form (NFC): e and a combining accent become the one character é, so equal words have equal bytes.
std::u32string nfc(std::u32string_view text);

// Lower case, one character for one: É becomes é and ß stays ß, where case folding would make it ss.
char32_t to_lower(char32_t c);

bool is_space(char32_t c);        // separators, control characters (line breaks too), the byte order mark
bool is_punctuation(char32_t c);  // punctuation and symbols: . ¿ « ' - _ < € +
int display_width(char32_t c);    // columns in a terminal: 0 for a combining accent, 2 for 猫

}  // namespace lookback
