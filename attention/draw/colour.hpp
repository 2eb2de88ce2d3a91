// The colours of every picture: viridis for weights, seven hues for lines, greys for the rest, and one red
// that no weight can have.
#pragma once

#include <cstdint>

namespace lookback {

struct Colour {
  std::uint8_t r, g, b;
  bool operator==(const Colour&) const = default;
};

namespace palette {
inline constexpr Colour paper{255, 255, 255}, ink{32, 33, 36}, soft{95, 99, 104}, rule{205, 208, 213};
inline constexpr Colour not_finite{225, 87, 89};  // NaN and infinities: far from every colour of viridis
// Okabe and Ito's, for lines: apart in hue, also for eyes without red or without green.
inline constexpr Colour lines[] = {{0, 114, 178},  {213, 94, 0},  {0, 158, 115}, {204, 121, 167},
                                   {86, 180, 233}, {230, 159, 0}, {32, 33, 36}};
}  // namespace palette

Colour viridis(float t);           // 0 is dark violet, 0.5 teal, 1 yellow; outside [0, 1] the nearer end
float luminance(Colour colour);    // 0 black .. 1 white: green counts most, blue least
Colour ink_on(Colour background);  // near-black or white, whichever reads better

}  // namespace lookback
