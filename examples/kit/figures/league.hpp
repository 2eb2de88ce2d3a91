// Score functions side by side on the same states: the weights of each as bars, the contexts in one plane.
#pragma once

#include <array>

#include "attention/draw/image.hpp"

namespace lookback {

struct LeagueRow {
  std::string score;
  std::vector<float> alpha;  // a weight for every state
  std::array<float, 2> c;    // sum_i alpha_i h_i
};

struct League {
  std::vector<std::array<float, 2>> h;  // 2 to 4 encoder states; the lines that join them hold every c
  std::vector<LeagueRow> rows;
};

// Above, a row of bars for each score, the longest of a row in full colour; below, a plot of the contexts.
// Throws std::invalid_argument when there is no row, or counts do not fit.
Image draw_league(const League& league);

}  // namespace lookback
