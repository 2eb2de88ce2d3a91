#include "attention/draw/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace lookback {
namespace {

std::size_t offset(const Image& image, int x, int y) {
  return 3 * (static_cast<std::size_t>(y) * image.width + x);
}

}  // namespace

Image::Image(int width, int height, Colour colour) : width(width), height(height) {
  if (width < 1 || height < 1 || width > max_side || height > max_side)
    throw std::length_error(
        fmt::format("a picture of {} x {} pixels: a side has 1 to {}", width, height, max_side));
  rgb.reserve(offset(*this, 0, height));
  for (int i = 0; i < width * height; ++i) rgb.insert(rgb.end(), {colour.r, colour.g, colour.b});
}

Colour Image::at(int x, int y) const {
  const std::uint8_t* p = &rgb.at(offset(*this, x, y));
  return {p[0], p[1], p[2]};
}

void Canvas::blend(int x, int y, Colour colour, float alpha) {
  std::uint8_t* p = &image_.rgb[offset(image_, x, y)];
  auto mix = [alpha](int under, int over) {
    return static_cast<std::uint8_t>(std::lround(under + alpha * (over - under)));
  };
  p[0] = mix(p[0], colour.r), p[1] = mix(p[1], colour.g), p[2] = mix(p[2], colour.b);
}

void Canvas::rectangle(int x, int y, int width, int height, Colour colour) {
  for (int j = std::max(y, 0); j < std::min(y + height, image_.height); ++j)
    for (int i = std::max(x, 0); i < std::min(x + width, image_.width); ++i) blend(i, j, colour, 1);
}

void Canvas::frame(int x, int y, int width, int height, Colour colour) {
  rectangle(x, y, width, 1, colour), rectangle(x, y + height - 1, width, 1, colour);
  rectangle(x, y, 1, height, colour), rectangle(x + width - 1, y, 1, height, colour);
}

// Sixteen scan lines a pixel. Where an edge crosses one, everything to the right goes in or out: the change
// is noted at the crossing, split over two pixels by where it falls, and a running sum along the row is the
// coverage.
void Canvas::fill(const Path& path, Colour colour, float alpha) {
  constexpr int lines = 16;
  float x0 = 1e6f, y0 = 1e6f, x1 = -1e6f, y1 = -1e6f;
  for (const auto& contour : path)
    for (const Point& p : contour)
      x0 = std::min(x0, p.x), y0 = std::min(y0, p.y), x1 = std::max(x1, p.x), y1 = std::max(y1, p.y);
  const int left = std::max(static_cast<int>(x0) - 1, 0);
  const int right = std::min(static_cast<int>(x1) + 1, image_.width);
  const int top = std::max(static_cast<int>(y0) - 1, 0);
  const int bottom = std::min(static_cast<int>(y1) + 1, image_.height);
  if (left >= right || top >= bottom) return;

  const std::size_t row = right - left + 2;
  std::vector<float> change(row * (bottom - top));
  for (const auto& contour : path)
    for (std::size_t i = 0; i < contour.size(); ++i) {
      Point a = contour[i], b = contour[(i + 1) % contour.size()];
      const float step = (a.y < b.y ? 1.0f : -1.0f) / lines;
      if (a.y > b.y) std::swap(a, b);
      const int first = static_cast<int>(std::ceil(a.y * lines - 0.5f));
      for (int k = std::max(first, top * lines); k < bottom * lines; ++k) {
        const float y = (k + 0.5f) / lines;
        if (y >= b.y) break;
        const float crossing = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
        const float x = std::clamp(crossing - left, 0.0f, static_cast<float>(right - left));
        float* pixel = &change[row * (k / lines - top) + static_cast<std::size_t>(x)];
        const float inside = x - std::floor(x);
        pixel[0] += step * (1 - inside), pixel[1] += step * inside;
      }
    }

  const float* next = change.data();
  for (int y = top; y < bottom; ++y, next += row) {
    float covered = 0;
    for (int x = left; x < right; ++x) {
      covered += next[x - left];
      if (std::abs(covered) > 0.002f) blend(x, y, colour, alpha * std::min(std::abs(covered), 1.0f));
    }
  }
}

void Canvas::line(Point from, Point to, float width, Colour colour, float alpha) {
  const Point d = to - from;
  if (d.x == 0 && d.y == 0) return;
  const Point across = width / 2 / std::hypot(d.x, d.y) * Point{-d.y, d.x};
  polygon({from + across, to + across, to - across, from - across}, colour, alpha);
}

void Canvas::arrow(Point from, Point to, float width, Colour colour) {
  const Point d = to - from;
  if (d.x == 0 && d.y == 0) return;
  const float length = std::hypot(d.x, d.y), head = std::min(width * 5, length);
  const Point along = head / length * d, across = 0.38f * Point{-along.y, along.x};
  line(from, to - 0.95f * along, width, colour);
  polygon({to, to - along + across, to - along - across}, colour);
}

void Canvas::circle(Point centre, float radius, Colour colour, float alpha) {
  constexpr int corners = 64;
  std::vector<Point> rim;
  for (int k = 0; k < corners; ++k) {
    const float angle = 2 * std::numbers::pi_v<float> * k / corners;
    rim.push_back(centre + radius * Point{std::cos(angle), std::sin(angle)});
  }
  polygon(std::move(rim), colour, alpha);
}

void Canvas::text(std::string_view text, Point at, const TextStyle& style) {
  for (const Path& glyph : text_outlines(text, at, style)) fill(glyph, style.colour);
}

void Canvas::paste(const Image& image, int x, int y) {
  for (int j = 0; j < image.height; ++j)
    std::copy_n(&image.rgb[offset(image, 0, j)], 3 * image.width, &image_.rgb[offset(image_, x, y + j)]);
}

}  // namespace lookback
