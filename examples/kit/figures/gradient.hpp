// The figures of chapter 13: what of a step's error arrives at each state of the encoder.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "attention/draw/image.hpp"

namespace lookback {

struct Arrivals {
  std::string name;
  std::size_t S;
  std::span<const float> at;  // [T, S], row-major: a number above 0 for each step t and state h_i
};

// A line for each, on a logarithmic axis, over the recurrent steps (S - i) + t: the mean over the pairs (t, i) that
// have as many.
Image draw_by_distance(std::span<const Arrivals> all);

// A heatmap for each, two in a row, every row t in shares of its largest number.
Image draw_arrivals(std::span<const Arrivals> all);

}  // namespace lookback
