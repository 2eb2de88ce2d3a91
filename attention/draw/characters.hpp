// Kinds of characters: just enough to draw labels. Callers pass NFC; nothing is composed here.
#pragma once

namespace lookback {

bool is_mark(char32_t c);       // combining: drawn over the character before it
bool is_invisible(char32_t c);  // joiners, variation selectors, soft hyphen, byte order mark
int terminal_columns(
    char32_t c);  // cells in a terminal: marks 0, Chinese, Japanese, Korean and emoji 2, others 1

}  // namespace lookback
