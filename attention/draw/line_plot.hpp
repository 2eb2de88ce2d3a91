// Line plots: a few named lines over two named axes, with ticks at round numbers, a grid and a legend.
#pragma once

#include <array>
#include <optional>

#include "attention/draw/image.hpp"

namespace lookback {

struct Line {
  std::string name;         // in the legend, UTF-8; "" is not shown there
  std::vector<float> x, y;  // as many of each; a single point is a mark
  bool reference = false;   // thin, grey, without marks: a slope to compare with; if one point, a level
};

struct LinePlot {
  std::string title, x_axis, y_axis;
  std::vector<Line> lines;
  std::optional<std::array<float, 2>> y_range = {};  // lowest and highest; lines are cut past it
  bool log_x = false, log_y = false;                 // logarithmic axes
};

// Lines differ in colour, dashes and marks, so that they stay apart in greyscale, and seen under one another.
// Axes begin and end at the round numbers round all points, or round y_range. A level crosses the whole plot.
// A point that is not finite, or not above 0 on a logarithmic axis, breaks its line, and a line of the
// picture counts these. Throws std::invalid_argument when there is no line, a line has no points or not as
// many x as y, or y cannot run over y_range.
Image draw_line_plot(const LinePlot& plot);

// Round numbers, at most `most` >= 3 of them, from the last not above `low` to the first not below `high`: 1,
// 2 or 5 times a power of ten apart; if log, 1, 2 and 5 times the powers of ten, or powers of ten alone.
std::vector<double> round_ticks(double low, double high, int most, bool log);

}  // namespace lookback
