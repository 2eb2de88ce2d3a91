// A picture, and a canvas that draws one: rectangles, lines, arrows, circles, polygons and text, all
// anti-aliased.
#pragma once

#include "attention/draw/text.hpp"

namespace lookback {

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // [height, width, 3], row-major

  static constexpr int max_side = 4096;  // so that no picture takes more than 48 MiB
  Image() = default;
  Image(int width, int height, Colour colour);  // throws std::length_error outside 1 .. max_side
  Colour at(int x, int y) const;
};

class Canvas {
 public:
  Canvas(int width, int height) : image_(width, height, palette::paper) {}

  // What leaves the picture is clipped. Coordinates are pixels from the top left corner, and finite.
  void rectangle(int x, int y, int width, int height, Colour colour);  // whole pixels, in exactly this colour
  void frame(int x, int y, int width, int height, Colour colour);      // one pixel wide, inside
  void fill(const Path& path, Colour colour, float alpha = 1);
  void polygon(std::vector<Point> corners, Colour colour, float alpha = 1) {
    fill({std::move(corners)}, colour, alpha);
  }
  void line(Point from, Point to, float width, Colour colour, float alpha = 1);
  void arrow(Point from, Point to, float width, Colour colour);  // the head's tip is at `to`
  void circle(Point centre, float radius, Colour colour, float alpha = 1);
  void text(std::string_view text, Point at, const TextStyle& style = {});
  void paste(const Image& image, int x, int y);  // it must fit inside

  const Image& image() const { return image_; }

 private:
  void blend(int x, int y, Colour colour, float alpha);
  Image image_;
};

}  // namespace lookback
