// Text as outlines of the built-in font (DejaVu Sans: Latin, Greek, Cyrillic, arrows, mathematics).
//
// The font is part of the library, so a picture is the same bytes on every machine and in the browser.
// Outlines are turned, not bitmaps, so slanted labels stay crisp. There is no shaping: a character the font
// lacks is a box with its hexadecimal number, never lost in silence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "attention/draw/colour.hpp"

namespace lookback {

struct Point {  // pixels, y downward
  float x, y;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(float t, Point a) { return {t * a.x, t * a.y}; }
};
using Path = std::vector<std::vector<Point>>;  // closed contours; one that turns the other way cuts a hole

enum class Anchor { left, centre, right };
struct TextStyle {
  float size = 16;  // pixels an em
  Colour colour = palette::ink;
  Anchor anchor = Anchor::left;
  float angle = 0;  // degrees, counter-clockwise
};

float text_width(std::string_view text, float size);
std::string shortened(std::string_view text, float size, float width);  // ends in "…" when it had to be cut
int missing_glyphs(std::string_view text);  // how many boxes drawing it would show

// One path a character. The anchor's point of the base line stands at `at`.
std::vector<Path> text_outlines(std::string_view text, Point at, const TextStyle& style);

}  // namespace lookback
