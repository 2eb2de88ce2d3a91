#include "attention/draw/characters.hpp"

#include <span>

namespace lookback {
namespace {

// First and last of each range.
constexpr char32_t marks[] = {0x300, 0x36F,  0x483,  0x489,  0x591,  0x5BD,  0x64B,  0x65F,  0x670,
                              0x670, 0x1AB0, 0x1AFF, 0x1DC0, 0x1DFF, 0x20D0, 0x20FF, 0xFE20, 0xFE2F};
constexpr char32_t invisible[] = {0xAD, 0xAD, 0x200B, 0x200F, 0x2060, 0x2060, 0xFE00, 0xFE0F, 0xFEFF, 0xFEFF};
constexpr char32_t wide[] = {0x1100,  0x115F,  0x2E80,  0x303E,  0x3041,  0xA4CF, 0xAC00,
                             0xD7A3,  0xF900,  0xFAFF,  0xFE30,  0xFE6F,  0xFF00, 0xFF60,
                             0x1F300, 0x1F64F, 0x1F900, 0x1F9FF, 0x20000, 0x3FFFD};

bool within(std::span<const char32_t> ranges, char32_t c) {
  for (std::size_t i = 0; i < ranges.size(); i += 2)
    if (c >= ranges[i] && c <= ranges[i + 1]) return true;
  return false;
}

}  // namespace

bool is_mark(char32_t c) { return within(marks, c); }

bool is_invisible(char32_t c) { return within(invisible, c); }

int terminal_columns(char32_t c) { return is_mark(c) || is_invisible(c) ? 0 : within(wide, c) ? 2 : 1; }

}  // namespace lookback
