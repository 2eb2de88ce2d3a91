// Alignment heatmaps: source words across, target words down, one cell a weight, viridis from 0 to 1.
#pragma once

#include <cstddef>
#include <span>

#include "attention/draw/image.hpp"

namespace lookback {

struct Heatmap {  // the weights of one sentence pair; labels in UTF-8, NFC
  struct Link {
    int row, column;
  };
  std::vector<std::string> rows;     // target tokens, downward
  std::vector<std::string> columns;  // source tokens, across
  std::vector<float> weights;        // [rows, columns], row-major
  std::string title = "", row_axis = "target", column_axis = "source";
  std::vector<Link> links = {};  // known ones: their cells are framed
};

struct HeatmapOptions {
  int cell = 44;       // pixels a side; smaller when the grid would pass 3000
  float font = 17;     // pixels of the labels
  bool bar = true;     // the colour scale at the right
  bool values = true;  // numbers in the cells, where they fit
};
inline constexpr HeatmapOptions small_heatmap{.cell = 24, .font = 13, .bar = false, .values = false};

// Throws std::invalid_argument when there are no weights, not rows * columns of them, or a link outside.
// Weights that are not finite get palette::not_finite, and a line of the picture counts them. Past 3000 rows
// or columns neighbours share a cell, which shows the largest of them, and a line says so: no side passes
// 4096 pixels.
Image draw_heatmap(const Heatmap& heatmap, const HeatmapOptions& options = {});

// Many heatmaps on one sheet, per_row side by side, and one colour bar for all of them. Throws
// std::length_error past 4096 pixels a side.
Image draw_sheet(std::span<const Image> images, int per_row);

// That of a weight; palette::not_finite of one that is not finite.
Colour weight_colour(float weight);
void check_heatmap(const Heatmap& heatmap);  // throws what draw_heatmap would
std::ptrdiff_t count_not_finite(const Heatmap& heatmap);

}  // namespace lookback
