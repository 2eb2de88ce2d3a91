#include "attention/draw/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <stdexcept>

#include "attention/draw/characters.hpp"
#include "core/utf8.hpp"

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb_truetype.h>

namespace lookback {

extern const unsigned char font_ttf[];  // DejaVuSans-subset.ttf, made into a .cpp by the build

namespace {

constexpr int em = 2048,
              box_width = 1350;  // in font units, like all lengths below; the box is a missing glyph's

struct Glyph {
  int index;  // 0: the font has none
  char32_t code;
  int x, up;  // of its origin, from the start of the line and from the base line
};

struct Line {
  std::vector<Glyph> glyphs;
  int width = 0;
};

const stbtt_fontinfo& font() {
  static const stbtt_fontinfo font = [] {
    stbtt_fontinfo info;
    if (!stbtt_InitFont(&info, font_ttf, 0)) throw std::runtime_error("the built-in font is damaged");
    return info;
  }();
  return font;
}

struct Box {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  explicit Box(int glyph) { stbtt_GetGlyphBox(&font(), glyph, &x0, &y0, &x1, &y1); }
};

Line lay_out(std::string_view text) {
  Line line;
  Glyph base{};
  int top = 0;  // of the base and the marks over it so far
  for (const char32_t c : decode_utf8_lossy(text)) {
    if (is_invisible(c)) continue;
    const int index = stbtt_FindGlyphIndex(&font(), static_cast<int>(c));
    const Box box(index);
    if (index && base.index && is_mark(c)) {  // over the middle of its base, raised when it would touch
      const Box under(base.index);
      const int raise = box.y0 > 0 && box.y0 < top + 60 ? top + 110 - box.y0 : 0;
      if (box.y0 > 0) top = box.y1 + raise;
      line.glyphs.push_back({index, c, base.x + (under.x0 + under.x1 - box.x0 - box.x1) / 2, raise});
      continue;
    }
    int advance = box_width + 120, bearing = 0;
    if (index) stbtt_GetGlyphHMetrics(&font(), index, &advance, &bearing);
    if (index && base.index) line.width += stbtt_GetGlyphKernAdvance(&font(), base.index, index);
    base = {index, c, line.width, 0};
    top = box.y1;
    line.glyphs.push_back(base);
    line.width += advance;
  }
  return line;
}

// From font units, counted from the start of the line and upward, to pixels of the picture.
struct Frame {
  Point at;
  float scale, cos, sin;
  Point operator()(float x, float y) const {
    return {at.x + scale * (x * cos - y * sin), at.y - scale * (x * sin + y * cos)};
  }
};

void add_glyph(Path& path, const Frame& frame, int index, float x, float y, float size = 1) {
  stbtt_vertex* shape = nullptr;
  const int n = stbtt_GetGlyphShape(&font(), index, &shape);
  Point from{};
  for (const stbtt_vertex& v : std::span(shape, static_cast<std::size_t>(n))) {
    const Point by = frame(x + size * v.cx, y + size * v.cy), to = frame(x + size * v.x, y + size * v.y);
    if (v.type == STBTT_vmove) path.emplace_back();
    const int pieces = v.type == STBTT_vcurve ? 6 : 1;  // TrueType's curves are quadratic
    for (int k = 1; k <= pieces; ++k) {
      const float t = static_cast<float>(k) / pieces, u = 1 - t;
      path.back().push_back(u * u * from + 2 * t * u * by + t * t * to);
    }
    from = to;
  }
  stbtt_FreeShape(&font(), shape);
}

// A box with the character's number in two rows, as browsers draw it.
void add_missing(Path& path, const Frame& frame, char32_t code, int x) {
  auto corners = [&](int inset) {
    const int x0 = x + inset, x1 = x + box_width - inset, y0 = inset - 330, y1 = 1720 - inset;
    return std::vector{frame(x0, y0), frame(x0, y1), frame(x1, y1), frame(x1, y0)};
  };
  path.push_back(corners(0));
  path.push_back(corners(100));
  std::reverse(path.back().begin(), path.back().end());
  const std::string hex = fmt::format("{:0{}X}", static_cast<unsigned>(code), code > 0xFFFF ? 6 : 4);
  const std::size_t half = hex.size() / 2;
  const float pitch = static_cast<float>(box_width - 330) / half;
  for (std::size_t i = 0; i < hex.size(); ++i)
    add_glyph(path, frame, stbtt_FindGlyphIndex(&font(), hex[i]), x + 165 + pitch * (i % half),
              i < half ? 860 : -80, pitch * 1.5f / em);
}

}  // namespace

float text_width(std::string_view text, float size) { return size * lay_out(text).width / em; }

std::string shortened(std::string_view text, float size, float width) {
  if (text.size() < 10000 && text_width(text, size) <= width) return std::string(text);
  std::string kept;
  for (const char32_t c : decode_utf8_lossy(text)) {
    std::string longer = kept + encode_utf8({&c, 1});
    if (text_width(longer + "…", size) > width) break;
    kept = std::move(longer);
  }
  return kept + "…";
}

int missing_glyphs(std::string_view text) {
  int missing = 0;
  for (const Glyph& glyph : lay_out(text).glyphs) missing += glyph.index == 0;
  return missing;
}

std::vector<Path> text_outlines(std::string_view text, Point at, const TextStyle& style) {
  const Line line = lay_out(text);
  const float radians = style.angle * std::numbers::pi_v<float> / 180;
  const int start = style.anchor == Anchor::left     ? 0
                    : style.anchor == Anchor::centre ? line.width / 2
                                                     : line.width;
  const Frame frame{at, style.size / em, std::cos(radians), std::sin(radians)};
  std::vector<Path> paths;
  for (const Glyph& glyph : line.glyphs) {
    Path& path = paths.emplace_back();
    if (glyph.index)
      add_glyph(path, frame, glyph.index, glyph.x - start, glyph.up);
    else
      add_missing(path, frame, glyph.code, glyph.x - start);
  }
  return paths;
}

}  // namespace lookback
