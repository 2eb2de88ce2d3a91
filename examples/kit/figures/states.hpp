// Encoder states as columns of coloured cells, a panel a run: how they build up word by word.
#pragma once

#include "attention/draw/image.hpp"

namespace lookback {

struct StatePanel {
  std::string name, note;    // at the left, one above the other
  std::vector<float> h;      // [S, H], row-major
  std::vector<float> last;   // [H], drawn apart
  std::ptrdiff_t steps = 0;  // columns that were read, of which an arrow shows the order
  bool reverse = false;      // it leads from the last of them to the first
};

struct StateFigure {
  std::vector<std::string> words;       // over the first columns, UTF-8, NFC; the rest of S is padding
  std::vector<StatePanel> panels = {};  // one below the other, of one S
};

// Values from -1, blue, over 0, white, to 1, orange; past that the nearer end; palette::not_finite for the
// rest. Of more than 28 columns 27 are drawn, then "…". Throws std::invalid_argument when nothing is to be
// drawn, h is not [S, H] or S is not one for all, and std::length_error past 4096 pixels.
Image draw_states(const StateFigure& figure);

}  // namespace lookback
