#include "attention/draw/colour.hpp"

#include <algorithm>
#include <cmath>

namespace lookback {
namespace {

// matplotlib's viridis at 0, 0.1 .. 1; straight lines between are within 3 of 255 of the original.
constexpr std::uint8_t anchors[11][3] = {{68, 1, 84},    {72, 36, 117},  {65, 68, 135},  {53, 95, 141},
                                         {42, 120, 142}, {33, 145, 140}, {34, 168, 132}, {68, 191, 112},
                                         {122, 209, 81}, {189, 223, 38}, {253, 231, 37}};

}  // namespace

Colour viridis(float t) {
  t = std::clamp(t, 0.0f, 1.0f) * 10;
  const int i = std::min(static_cast<int>(t), 9);
  auto channel = [a = anchors[i], b = anchors[i + 1], f = t - i](int k) {
    return static_cast<std::uint8_t>(std::lround(a[k] + f * (b[k] - a[k])));
  };
  return {channel(0), channel(1), channel(2)};
}

float luminance(Colour colour) {
  return (0.2126f * colour.r + 0.7152f * colour.g + 0.0722f * colour.b) / 255;
}

Colour ink_on(Colour background) {
  return luminance(background) > 0.45f ? Colour{20, 20, 20} : palette::paper;
}

}  // namespace lookback
