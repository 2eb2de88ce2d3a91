// The figures of chapter 14: what moves when attention's weights are changed, and where the weight could be instead.
#pragma once

#include <span>

#include "attention/draw/heatmap.hpp"
#include "attention/draw/line_plot.hpp"

namespace lookback {

struct Moves {  // of a model, a number each for every token
  std::string name;
  std::vector<float> entropy = {}, moved = {};

  // The entropy of the weights is taken as a share of ln n, n of them.
  void add(std::span<const float> weights, float how_far);
};

// The mean move over five equal parts of [0, 1], the places of the entropy; 5 tokens or more make a point.
Line mean_moves(const Moves& moves);
std::string list_moves(const Moves& moves);  // the same in words, "-" where there is no point
Image draw_moves(std::span<const Moves> all);

struct Where {  // of a sentence pair
  Heatmap weights;
  std::vector<float> kept;  // [rows, columns]: 1 less how far the output moves when all weight is there
};
// The weights on the left, beside them what is kept: a line for each pair.
Image draw_where(std::span<const Where> pairs);

}  // namespace lookback
